/** The inputs of one session: shown from the rows, changed by the core. */
import { MooringError } from "../../protocol/errors.ts";
import type { InputId } from "../../protocol/ids.ts";
import { endedInputStates } from "../../protocol/input.ts";
import type { InputRow } from "../../protocol/rows.ts";
import type { Event } from "../../session/events.ts";
import type { InputsOf } from "../api.ts";
import { storedParts } from "../files/stored-parts.ts";
import type { HostContext } from "../host-context.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { partsOf } from "./checked-input.ts";
import { refusal } from "./submit.ts";

export function inputsOf(context: HostContext, sessions: Sessions, id: string): InputsOf {
  const { query } = context.store;
  const find = async (input: InputId): Promise<InputRow> => {
    const row = await query.input((await sessions.find(id)).no, input);
    if (row) return row;
    throw new MooringError("no-such-input", `There is no input "${input}" in this session.`, { detail: { input } });
  };
  /** A no about an input that is not there, or is over, says so. */
  const ask = async (inputs: readonly InputId[], command: (to: string) => Event): Promise<string> => {
    const { no } = await sessions.find(id);
    const { answer } = await (await sessions.use(no)).ask(command);
    if (answer.kind !== "refused") return answer.kind === "done" ? answer.state : answer.kind;
    for (const input of inputs) {
      const { state } = await find(input);
      if (endedInputStates.includes(state)) throw refusal(answer.why, `The input "${input}" is over: it is ${state}.`);
    }
    throw refusal(answer.why);
  };
  return {
    list: async () => query.inputs((await sessions.find(id)).no),
    get: find,
    edit: async (input, parts) => {
      const checked = await storedParts(context.files, partsOf({ parts }, context.limits.inputBytes));
      await ask([input], (to) => ({ type: "edit", to, input, parts: checked, place: "instead" }));
    },
    extend: async (input, parts) => {
      const before = (await find(input)).input.parts;
      partsOf({ parts: [...before, ...parts] }, context.limits.inputBytes); // its bound is for the whole
      const checked = await storedParts(context.files, partsOf({ parts }, context.limits.inputBytes));
      await ask([input], (to) => ({ type: "edit", to, input, parts: checked, place: "behind" }));
    },
    move: async (input, before) => {
      if (before === input)
        throw new MooringError("bad-input", "An input cannot stand before itself.", { detail: { field: "before" } });
      const named = before === null ? [input] : [input, before];
      await ask(named, (to) => ({ type: "move", to, input, before }));
    },
    cancel: async (input) =>
      (await ask([input], (to) => ({ type: "cancel", to, input }))) === "withdrawing" ? "withdrawing" : "cancelled",
    release: async (input) => {
      const named = input === undefined ? [] : [input];
      await ask(named, (to) => ({ type: "release", to, input: input ?? null }));
    },
  };
}
