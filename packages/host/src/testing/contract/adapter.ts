/**
 * What the author of a driver writes to run the contract suite: how to set up the agent's side of one session, and how
 * to make the agent do what a requirement needs, as named scenarios. The suite does the rest: it opens the driver with
 * real processes and files, calls it as a host does, and judges what it says.
 *
 * A scenario answers with a prompt that makes the agent (through a scripted model, as a rule) do what the scenario is
 * named for, and with what the suite cannot know from the driver: whether a tool really ran, how to let it go on.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Credentials, DriverFactory } from "../../ports/driver.ts";
import type { RequirementId } from "./requirements.ts";
import type { Scenarios } from "./scenarios.ts";

/** One driver under test. */
export type ContractAdapter = {
  /** The column of the matrix: the driver's type, as a rule. */
  readonly name: string;
  readonly driver: DriverFactory;
  /**
   * Sets up the agent's side of one session: called for every case, before anything of the driver. The case calls the
   * stage's `end` when it is over, however it ends.
   */
  open(place: Place): Promise<Stage>;
  /**
   * Scenarios this agent has no way to play, each with the reason. Where a capability claims one of them, the case
   * `capabilities/tested` fails.
   */
  readonly cannot?: Readonly<Partial<Record<keyof Scenarios, string>>>;
  /** What the driver is known to break. A case of the list fails when the driver begins to pass. */
  readonly exceptions?: readonly KnownException[];
  /** The agent is a child that `connect` starts through `ports.processes`, whatever it speaks. */
  readonly isChild?: boolean;
  /** It is such a child and speaks lines of JSON on its stdio. */
  readonly wire?: Wire;
  /** The driver's clock; default the machine's. */
  readonly clock?: () => Clock;
  /** Milliseconds a case waits for one thing at most; default 10 000. */
  readonly deadlineMs?: number;
};

export type KnownException = {
  readonly requirement: RequirementId;
  readonly reason: string;
};

/** The bounds of a driver's line reader. With it, the faults of the wire are tested too. */
export type Wire = {
  /** The longest line the driver takes, in bytes without its end. */
  readonly maxLineBytes: number;
  /** Places (lines of the agent) at which one fault is tried at most, evenly spread; default 8. */
  readonly faultPoints?: number;
  /** Whether a line of the agent is a piece of its text; default: it contains the text. */
  readonly isText?: (line: string) => boolean;
};

/** Directories of one case, which exist and are removed after it. */
export type Place = {
  readonly workspace: string;
  /** The agent's private home, as `ConnectInput.home` will name it. */
  readonly home: string;
  /** For the adapter's own files: nothing of the driver under test is in it. */
  readonly scratch: string;
};

/** The agent's side of one session. */
export type Stage = {
  readonly model: string;
  readonly effort?: string | null;
  readonly credentials: Credentials;
  readonly options?: Readonly<Record<string, unknown>>;
  /** What the child's environment has beside a `PATH` of the system's directories, `HOME` and a name of the suite's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly scenarios: Partial<Scenarios>;
  /**
   * What the agent's model was asked last, with everything it was given in that request (history, prompt, tool results),
   * as one text. For an agent without a model: all the agent was told in this conversation.
   */
  lastRequest(): Promise<{ readonly text: string; readonly model: string | null }>;
  /** Ends servers and removes what is outside the place. */
  end(): Promise<void>;
};
