/** The folded parts of an agent's form: what it may do, whose model it asks, its servers, and how it behaves. */
import type { ReactNode } from "react";
import { AreaField, SelectField, TextField } from "../ui/field.tsx";
import type { AgentDraft } from "./agent-draft.ts";

type Fields = { readonly draft: AgentDraft; readonly set: (change: Partial<AgentDraft>) => void };
type Words<Value extends string> = { readonly [V in Value]: string };

const modes: Words<AgentDraft["mode"]> = {
  plan: "plan: reads only",
  default: "default: asks before writes and commands",
  acceptEdits: "acceptEdits: asks before commands",
  bypassPermissions: "bypassPermissions: asks nothing",
};
const unattended: Words<AgentDraft["unattended"]> = { deny: "are denied at once", wait: "wait for their deadline" };
const deliveries: Words<AgentDraft["defaultDelivery"]> = { steer: "steers it", queue: "waits in the queue" };
const afters: Words<AgentDraft["queueAfter"]> = { hold: "is held for a person", run: "runs next" };
const interruptions: Words<AgentDraft["onInterrupted"]> = { wait: "waits for a person", continue: "goes on by itself" };
const resumes: Words<AgentDraft["onResumeFailed"]> = {
  ask: "ask a person",
  fresh: "begin anew",
  "fresh-with-transcript": "begin anew, told what was said",
};

function Choice<Value extends string>({
  label,
  words,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly words: Words<Value>;
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}) {
  const values = Object.keys(words) as Value[];
  return (
    <SelectField
      label={label}
      value={value}
      onChange={({ target }) => onChoose(values.find((one) => one === target.value) ?? value)}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {words[one]}
        </option>
      ))}
    </SelectField>
  );
}

function Group({
  title,
  isOpen,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}) {
  return (
    <details open={isOpen} className="rounded-md border border-line">
      <summary className="min-h-10 px-3 py-2 text-sm font-medium">{title}</summary>
      <div className="space-y-4 border-t border-line p-3">{children}</div>
    </details>
  );
}

export function PermissionFields({ draft, set }: Fields) {
  return (
    <>
      <Choice label="Permission mode" words={modes} value={draft.mode} onChoose={(mode) => set({ mode })} />
      <AreaField
        label="Rules"
        hint="One a line: allow, ask or deny, then tool(pattern), as in allow bash(git status*)"
        rows={3}
        isCode
        value={draft.rules}
        onChange={(rules) => set({ rules })}
      />
      <Group title="More about permissions" isOpen={false}>
        <TextField
          label="Tools a person decides in every mode"
          hint="Names, * for anything"
          value={draft.alwaysAsk}
          onChange={({ target }) => set({ alwaysAsk: target.value })}
        />
        <TextField
          label="Tools it does not have"
          value={draft.disabledTools}
          onChange={({ target }) => set({ disabledTools: target.value })}
        />
        <Choice
          label="Questions while nobody watches"
          words={unattended}
          value={draft.unattended}
          onChoose={(chosen) => set({ unattended: chosen })}
        />
      </Group>
    </>
  );
}

export function ProviderFields({ draft, set }: Fields) {
  return (
    <Group title="Model provider" isOpen={draft.provider !== ""}>
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
    </Group>
  );
}

export function ServerFields({ draft, set }: Fields) {
  return (
    <Group title="MCP servers" isOpen={draft.mcpServers !== ""}>
      <AreaField
        label="Servers by name (JSON)"
        hint={'{"files": {"command": "npx", "args": ["some-server"]}}'}
        rows={5}
        isCode
        value={draft.mcpServers}
        onChange={(mcpServers) => set({ mcpServers })}
      />
    </Group>
  );
}

export function BehaviourFields({ draft, set }: Fields) {
  return (
    <Group title="Queue, interruptions and driver options" isOpen={false}>
      <Choice
        label="What is said while it works"
        words={deliveries}
        value={draft.defaultDelivery}
        onChoose={(defaultDelivery) => set({ defaultDelivery })}
      />
      <Choice
        label="What waits when a turn ends badly"
        words={afters}
        value={draft.queueAfter}
        onChoose={(queueAfter) => set({ queueAfter })}
      />
      <Choice
        label="A session that a crash interrupted"
        words={interruptions}
        value={draft.onInterrupted}
        onChoose={(onInterrupted) => set({ onInterrupted })}
      />
      <Choice
        label="When its own session cannot be resumed"
        words={resumes}
        value={draft.onResumeFailed}
        onChoose={(onResumeFailed) => set({ onResumeFailed })}
      />
      <AreaField
        label="Options of the driver (JSON)"
        rows={3}
        isCode
        value={draft.driverOptions}
        onChange={(driverOptions) => set({ driverOptions })}
      />
    </Group>
  );
}
