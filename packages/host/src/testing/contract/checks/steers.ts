/** Checks of steers: offered into a running turn, and the one end each must have. */
import type { ConnectInput, SteeringMode } from "../../../ports/driver.ts";
import { checksOf } from "../check.ts";
import type { Link, Sent, Steered } from "../link.ts";
import type { Scenarios } from "../scenarios.ts";
import type { ContractScene } from "../scene.ts";
import { beginText, completed, sayWhole, scenarioText, stop } from "./play.ts";

type Held = { readonly link: Link; readonly sent: Sent; readonly act: ReturnType<Scenarios["heldTool"]> };

/** A turn whose tool is at work until it is released. */
export async function held(scene: ContractScene, change: Partial<ConnectInput> = {}): Promise<Held> {
  const link = await scene.connect(change);
  const act = scene.scenario("heldTool")();
  const sent = await link.send(act.prompt);
  await scene.deadline.within("the tool to be at work", act.started(), () => link.story);
  return { link, sent, act };
}
async function offer(scene: ContractScene, { link, sent }: Held, text: string): Promise<Steered> {
  const steer = await link.steer(sent.turnId, text);
  scene.must(steer.answer === "offered", "a steer during a tool was refused");
  return steer;
}
/** The steer's end once its turn is over: by an event so far, as a turn of its own, or by `close`. */
async function endOf(scene: ContractScene, link: Link, { inputId }: Steered): Promise<string> {
  const seen = link.witness.endOf(inputId);
  if (seen !== null) return seen;
  if (!scene.capabilities.steerStartsOwnTurn) await link.close("stop");
  else {
    const { turnId } = await adoption(link, inputId);
    await link.end(turnId);
  }
  return link.witness.endOf(inputId) ?? "none";
}
const adoption = (link: Link, inputId: string) =>
  link.find(`steer ${inputId} to become a turn of its own`, (event): event is Adopted => {
    return event.type === "autonomous-turn-state" && event.state === "started" && event.inputId === inputId;
  });
type Adopted = Extract<Link["events"][number], { type: "autonomous-turn-state" }>;

/** Two steers that wait for a tool: their ids, and what became of them: boundaries by what they name, and texts. */
async function waited(scene: ContractScene, mode: SteeringMode) {
  const turn = await held(scene, { steeringMode: () => mode });
  const { link, sent, act } = turn;
  const steers = [await offer(scene, turn, "first"), await offer(scene, turn, "second")];
  await act.release();
  await completed(scene, link, sent);
  const told = link.events.flatMap((event) => {
    if (event.type === "steer-boundary") return [event.taken.join()];
    return event.type === "chunk" && event.chunk.type === "text-start" ? ["says"] : [];
  });
  return { told, steers: steers.map(({ inputId }) => inputId) };
}

const takenIn = (link: Link): readonly string[] => link.all("steer-boundary").flatMap(({ taken }) => taken);

export const steerChecks = checksOf({
  "steer/none": async (scene) => {
    const link = await scene.connect();
    const sent = await beginText(scene, link);
    const { answer } = await link.steer(sent.turnId, "turn left");
    scene.must(answer === "refused", "it was offered");
    await completed(scene, link, sent);
  },

  "steer/taken": async (scene) => {
    const turn = await held(scene);
    const { link, sent, act } = turn;
    const { inputId } = await offer(scene, turn, `Mind ${scene.marker}.`);
    await act.release();
    await completed(scene, link, sent);
    scene.must(takenIn(link).join() === inputId, `boundaries name ${takenIn(link).join(", ") || "nothing"}`);
    const at = link.events.findIndex(({ type }) => type === "steer-boundary");
    const said = link.events.findIndex((event) => event.type === "chunk" && event.chunk.type === "text-delta");
    scene.must(at < said, "what the agent said next came before the boundary");
    scene.must((await scene.timesTold()) > 0, "the model was not given the steer");
  },

  "steer/order": async (scene) => {
    const turn = await held(scene);
    const { link, sent, act } = turn;
    const steers = [await offer(scene, turn, "first"), await offer(scene, turn, "second")];
    await act.release();
    await completed(scene, link, sent);
    scene.must(
      takenIn(link).join() === steers.map(({ inputId }) => inputId).join(),
      "they were taken in another order",
    );
  },

  "steer/one-at-a-time": async (scene) => {
    const { told, steers } = await waited(scene, "one-at-a-time");
    const wanted = steers.flatMap((id) => [id, "says"]);
    scene.must(told.join(" ").startsWith(wanted.join(" ")), `it went ${told.join(" ")}`);
  },

  "steer/together": async (scene) => {
    const { told, steers } = await waited(scene, "all");
    scene.must(told.join(" ").startsWith(`${steers.join()} says`), `it went ${told.join(" ")}`);
  },

  "steer/clean-boundary": async (scene) => {
    const turn = await held(scene);
    const { link, sent, act } = turn;
    await offer(scene, turn, "look here");
    await act.release();
    await completed(scene, link, sent);
    const at = link.events.findIndex(({ type }) => type === "steer-boundary");
    const isCounting = link.all("usage").length > 0;
    const before = link.events.slice(0, at).some(({ type }) => type === "usage");
    scene.must(!isCounting || before, "the usage of the message that closed came after the boundary");
  },

  "steer/one-end": async (scene) => {
    const turn = await held(scene);
    const { link, sent, act } = turn;
    const kept = await offer(scene, turn, "keep this");
    const dropped = await offer(scene, turn, "drop this");
    const isWithdrawn = await link.withdraw(dropped.inputId);
    await act.release();
    await completed(scene, link, sent);
    await sayWhole(scene, link, "and on");
    const ends = [kept, dropped].map(({ inputId }) => link.witness.endOf(inputId)).join(", ");
    scene.must(ends === `boundary, ${isWithdrawn ? "withdrawn" : "boundary"}`, `the ends are ${ends}`);
    await link.close("idle");
  },

  "steer/late": async (scene) => {
    const link = await scene.connect();
    const sent = await beginText(scene, link);
    await link.chunk(sent.turnId, "text-delta", 3);
    const steer = await link.steer(sent.turnId, scenarioText(scene, "late"));
    await completed(scene, link, sent);
    if (steer.answer === "refused") return;
    const end = await endOf(scene, link, steer);
    scene.must(end === "boundary" || end === "undelivered" || end === "adopted", `its end is ${end}`);
  },

  "steer/adopted": async (scene) => {
    const link = await scene.connect();
    const sent = await beginText(scene, link);
    const steer = await link.steer(sent.turnId, scenarioText(scene, scene.marker));
    scene.must(steer.answer === "offered", "it was refused");
    await completed(scene, link, sent);
    const { turnId, origin } = await adoption(link, steer.inputId);
    scene.must(origin === "steer", `its origin is ${origin}`);
    scene.must(turnId !== sent.turnId, "it has the id of the turn before");
    await link.end(turnId);
    scene.must(link.said(turnId).trim() === scene.marker, `it says "${link.said(turnId)}"`);
    await link.close("idle");
  },

  "steer/undelivered": async (scene) => {
    const turn = await held(scene);
    const steer = await offer(scene, turn, `Mind ${scene.marker}.`);
    await stop(scene, turn.link, turn.sent);
    const end = await endOf(scene, turn.link, steer);
    const isTold = (await scene.timesTold()) > 0;
    const isTrue = end === "boundary" ? isTold : end === "undelivered" || end === "returned" || end === "adopted";
    scene.must(isTrue, `its end is ${end}, and the model was ${isTold ? "" : "not "}given it`);
  },

  "steer/returned": async (scene) => {
    const turn = await held(scene);
    const { inputId } = await offer(scene, turn, `Mind ${scene.marker}.`);
    const returned = await turn.link.close("stop");
    const end = turn.link.witness.endOf(inputId);
    const isBack = returned.includes(inputId) || end === "undelivered";
    scene.must(isBack, `close returned ${returned.join(", ") || "nothing"}; its end is ${end}`);
    scene.must((await scene.timesTold()) === 0, "the model was given it");
  },

  "steer/withdrawn": async (scene) => {
    const turn = await held(scene);
    const { link, sent, act } = turn;
    const { inputId } = await offer(scene, turn, `Mind ${scene.marker}.`);
    const isWithdrawn = await link.withdraw(inputId);
    await act.release();
    await completed(scene, link, sent);
    const times = await scene.timesTold();
    if (!isWithdrawn) scene.must(times > 0, "it could not be taken back, and the model was not given it");
    else scene.must(times === 0, "it was taken back, and the model was given it");
    await link.close("idle");
  },

  "steer/withdraw-too-late": async (scene) => {
    const turn = await held(scene);
    const { link, sent, act } = turn;
    const { inputId } = await offer(scene, turn, "go on");
    await act.release();
    await link.next("steer-boundary");
    scene.must(!(await link.withdraw(inputId)), "a steer the agent took was taken back");
    await completed(scene, link, sent);
    scene.must(!(await link.withdraw("inp_nobody")), "a steer that was never offered was taken back");
  },

  "steer/refused": async (scene) => {
    const link = await scene.connect();
    const over = await sayWhole(scene, link, "over");
    const idle = await link.steer(over.turnId, "anyone?");
    scene.must(idle.answer === "refused", "it was offered to a turn that is over");
    const running = await beginText(scene, link);
    const late = await link.steer(over.turnId, "anyone?");
    scene.must(late.answer === "refused", "it was offered to a turn that is over while another runs");
    await completed(scene, link, running);
    await link.close("idle");
  },
});
