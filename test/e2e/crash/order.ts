/** What a child is told to do, as its one argument. */

export const phases = [
  "start",
  "tool",
  "steer",
  "roll",
  "settle",
  "approval",
  "answer",
  "migration",
  "fold",
  "recovery",
] as const;
/** Where the host is when it is killed. */
export type Phase = (typeof phases)[number];

export type Order = {
  readonly part: "run" | "recover";
  readonly phase: Phase;
  readonly dataDir: string;
  readonly workspace: string;
  /** Base address of the scripted model, with its version. */
  readonly modelUrl: string;
};

/** External id of the one session that talks to a model. */
export const sessionName = "crash";
