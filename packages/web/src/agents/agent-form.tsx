/** Adds an agent or changes one. A key is never shown again: it is named by its variable. */
import { type FormEvent, useState } from "react";
import { api } from "../api/api.ts";
import type { AgentRow } from "../api/types.ts";
import { Dialog, DialogEnd } from "../ui/dialog.tsx";
import { AreaField, SelectField, TextField } from "../ui/field.tsx";
import { say, sayFailure } from "../ui/notices.tsx";
import { type AgentDraft, bodyOf, draftOf } from "./agent-draft.ts";
import { BehaviourFields, PermissionFields, ProviderFields, ServerFields } from "./agent-fields.tsx";

type FormProps = {
  readonly agent: AgentRow | null;
  readonly drivers: readonly string[];
  readonly onClose: () => void;
};

export function AgentForm({ agent, drivers, onClose }: FormProps) {
  const [draft, setDraft] = useState(() => draftOf(agent, drivers));
  const set = (change: Partial<AgentDraft>): void => setDraft((now) => ({ ...now, ...change }));
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const body = bodyOf(draft);
    if ("wrong" in body) return say("bad", body.wrong);
    (agent === null ? api.addAgent(body.agent) : api.changeAgent(agent.id, body.agent)).then(onClose, sayFailure);
  };
  const fields = { draft, set };
  return (
    <Dialog title={agent === null ? "Add agent" : `Edit ${agent.name}`} onClose={onClose}>
      <form className="space-y-4 p-4" onSubmit={save}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Name" required value={draft.name} onChange={({ target }) => set({ name: target.value })} />
          <SelectField label="Driver" value={draft.driver} onChange={({ target }) => set({ driver: target.value })}>
            {drivers.map((driver) => (
              <option key={driver}>{driver}</option>
            ))}
          </SelectField>
          <TextField label="Model" value={draft.model} onChange={({ target }) => set({ model: target.value })} />
          <TextField
            label="Effort (optional)"
            value={draft.effort}
            onChange={({ target }) => set({ effort: target.value })}
          />
        </div>
        <AreaField label="Instructions" value={draft.instructions} onChange={(instructions) => set({ instructions })} />
        <PermissionFields {...fields} />
        <ProviderFields {...fields} />
        <ServerFields {...fields} />
        <BehaviourFields {...fields} />
        <DialogEnd submit="Save" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
