/** Adds an agent or changes one. A key is never shown again: it is named by its variable, or written once. */
import { type FormEvent, useState } from "react";
import { api } from "../api/api.ts";
import type { AgentRow, NewAgent } from "../api/types.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { AreaField, SelectField, TextField } from "../ui/field.tsx";
import { say, sayFailure } from "../ui/notices.tsx";
import { rulesOf, ruleText } from "./rule-lines.ts";

const modes = ["plan", "default", "acceptEdits", "bypassPermissions"] as const;
const modeWords: { readonly [M in (typeof modes)[number]]: string } = {
  plan: "plan: reads only",
  default: "default: asks before writes and commands",
  acceptEdits: "acceptEdits: asks before commands",
  bypassPermissions: "bypassPermissions: asks nothing",
};
type Draft = {
  readonly name: string;
  readonly driver: string;
  readonly model: string;
  readonly instructions: string;
  readonly mode: AgentRow["permissionMode"];
  readonly provider: string;
  readonly baseUrl: string;
  readonly keyVariable: string;
  readonly rules: string;
};
const draftOf = (agent: AgentRow | null, drivers: readonly string[]): Draft => ({
  name: agent?.name ?? "",
  driver: agent?.driver ?? drivers[0] ?? "loop",
  model: agent?.model ?? "",
  instructions: agent?.instructions ?? "",
  mode: agent?.permissionMode ?? "default",
  provider: agent?.provider.kind ?? "",
  baseUrl: agent?.provider.baseUrl ?? "",
  keyVariable: agent?.provider.apiKeyEnv ?? "",
  rules: (agent?.rules ?? []).map(ruleText).join("\n"),
});
function bodyOf(draft: Draft, rules: NonNullable<NewAgent["rules"]>): NewAgent {
  const { name, driver, model, instructions, mode: permissionMode, provider, baseUrl, keyVariable } = draft;
  const source = {
    ...(provider === "" ? {} : { kind: provider }),
    ...(baseUrl === "" ? {} : { baseUrl }),
    ...(keyVariable === "" ? {} : { apiKeyEnv: keyVariable }),
  };
  return { name, driver, permissionMode, instructions, provider: source, rules, ...(model === "" ? {} : { model }) };
}

export function AgentForm({
  agent,
  drivers,
  onClose,
}: {
  readonly agent: AgentRow | null;
  readonly drivers: readonly string[];
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(agent, drivers));
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const rules = rulesOf(draft.rules);
    if (rules === null) return say("bad", "A rule is a line like: allow bash(git status*)");
    const body = bodyOf(draft, rules);
    (agent === null ? api.addAgent(body) : api.changeAgent(agent.id, body)).then(onClose, sayFailure);
  };
  return (
    <Dialog title={agent === null ? "Add agent" : `Edit ${agent.name}`} onClose={onClose}>
      <form className="max-h-[70vh] space-y-3 overflow-y-auto" onSubmit={save}>
        <TextField label="Name" required value={draft.name} onChange={({ target }) => set({ name: target.value })} />
        <SelectField label="Driver" value={draft.driver} onChange={({ target }) => set({ driver: target.value })}>
          {drivers.map((driver) => (
            <option key={driver}>{driver}</option>
          ))}
        </SelectField>
        <TextField label="Model" value={draft.model} onChange={({ target }) => set({ model: target.value })} />
        <ProviderFields draft={draft} set={set} />
        <SelectField
          label="Permission mode"
          value={draft.mode}
          onChange={({ target }) => set({ mode: modes.find((mode) => mode === target.value) ?? "default" })}
        >
          {modes.map((mode) => (
            <option key={mode} value={mode}>
              {modeWords[mode]}
            </option>
          ))}
        </SelectField>
        <AreaField label="Instructions" value={draft.instructions} onChange={(instructions) => set({ instructions })} />
        <AreaField
          label="Rules, one a line: allow, ask or deny, then tool(pattern)"
          rows={3}
          value={draft.rules}
          onChange={(rules) => set({ rules })}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="accent" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function ProviderFields({ draft, set }: { readonly draft: Draft; readonly set: (change: Partial<Draft>) => void }) {
  return (
    <>
      <TextField
        label="Provider"
        hint="anthropic, openai, google or openai-compatible"
        value={draft.provider}
        onChange={({ target }) => set({ provider: target.value })}
      />
      <TextField
        label="Base URL"
        hint="Empty: the provider's own"
        value={draft.baseUrl}
        onChange={({ target }) => set({ baseUrl: target.value })}
      />
      <TextField
        label="Variable that holds the key"
        hint="Its name is stored, never its value"
        value={draft.keyVariable}
        onChange={({ target }) => set({ keyVariable: target.value })}
      />
    </>
  );
}
