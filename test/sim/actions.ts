/** One number = one thing that happens. The list is the schedule's alphabet: an entry said again is likelier. */
import type { World } from "./world.ts";

export function step(world: World, n: number): void {
  const a = Math.floor(n / actions.length);
  world.guarded(() => actions[n % actions.length]?.(world, a));
}
type Action = (w: World, a: number) => void;
/** The store catches up, and the agent gets a word in. */
const turnOver: Action = (w, a) => {
  w.store.commit();
  for (let i = 0; i < 3; i++) w.tell();
  w.answerHook(a);
  w.reply(a);
  w.hear(a);
};
const work: Action = (w, a) => {
  w.agentActs(a);
  w.hear(a);
  w.reply(a);
};
const actions: readonly Action[] = [
  (w, a) => w.submit(a),
  (w, a) => w.submit(a),
  (w) => w.store.commit(),
  (w) => w.tell(),
  turnOver,
  turnOver,
  turnOver,
  turnOver,
  (w, a) => w.reply(a),
  (w, a) => w.hear(a),
  (w, a) => w.hear(a),
  work,
  work,
  work,
  work,
  (w, a) => w.agentActs(a),
  (w, a) => w.agentActs(a),
  (w, a) => w.user(a),
  (w, a) => w.approve(a),
  (w, a) => w.hold(a),
  (w, a) => w.time(a),
  (w, a) => w.configure(a),
  (w, a) => {
    if (a % 3 === 0) w.fault(a >> 2);
  },
  turnOver,
];
