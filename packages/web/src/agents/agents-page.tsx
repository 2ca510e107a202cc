/** The agents there are, whether each is ready, and what makes it so. */
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import type { AgentRow, DriverInfo } from "../api/types.ts";
import { useLoaded } from "../api/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { say, sayFailure } from "../ui/notices.tsx";
import { AgentForm } from "./agent-form.tsx";

export function AgentsPage() {
  const [version, setVersion] = useState(0);
  const [edited, setEdited] = useState<AgentRow | "new" | null>(null);
  const loaded = useLoaded(() => Promise.all([api.agents(), api.drivers(), api.defaultAgent()]), version);
  useEffect(() => {
    document.title = "Agents · Mooring";
  }, []);
  const again = (): void => setVersion((now) => now + 1);
  const [agents, drivers, preset] = loaded ?? [[], [], null];
  return (
    <section aria-label="Agents" className="mx-auto w-full max-w-3xl space-y-3 overflow-y-auto p-4">
      <div className="flex items-center justify-between">
        <h1 className="text-lg font-semibold">Agents</h1>
        <Button tone="accent" onClick={() => setEdited("new")}>
          Add agent
        </Button>
      </div>
      {loaded !== undefined && agents.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line p-4 text-sm text-soft">
          No agent yet. An agent is a driver with a model, instructions and permissions: add one to begin a session.
        </p>
      ) : null}
      {agents.map((agent) => (
        <AgentCard
          key={agent.id}
          agent={agent}
          driver={drivers.find(({ type }) => type === agent.driver)}
          isDefault={preset?.id === agent.id}
          onEdit={() => setEdited(agent)}
          onDefault={() => api.setDefaultAgent(agent.name).then(again, sayFailure)}
        />
      ))}
      {edited === null ? null : (
        <AgentForm
          agent={edited === "new" ? null : edited}
          drivers={drivers.map(({ type }) => type)}
          onClose={() => {
            setEdited(null);
            again();
          }}
        />
      )}
    </section>
  );
}

type CardProps = {
  readonly agent: AgentRow;
  readonly driver: DriverInfo | undefined;
  readonly isDefault: boolean;
  readonly onEdit: () => void;
  readonly onDefault: () => void;
};

function AgentCard({ agent, driver, isDefault, onEdit, onDefault }: CardProps) {
  const count = (one: string, many: number): string | null =>
    many === 0 ? null : `${many} ${one}${many > 1 ? "s" : ""}`;
  const facts = [
    agent.driver,
    agent.model ?? "no model",
    agent.permissionMode,
    count("rule", agent.rules.length),
    count("MCP server", Object.keys(agent.mcpServers).length),
  ].filter((fact) => fact !== null);
  return (
    <article className="space-y-1.5 rounded-lg border border-line bg-card p-3 pl-4">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 break-words font-semibold">{agent.name}</h2>
        {isDefault ? <span className="rounded bg-raised px-1.5 text-xs text-soft">default</span> : null}
        <span className="flex-1" />
        {isDefault ? null : (
          <Button tone="quiet" onClick={onDefault}>
            Make default
          </Button>
        )}
        <Button onClick={onEdit}>Edit</Button>
      </header>
      <p className="break-words text-sm text-soft">{facts.join(" · ")}</p>
      {agent.instructions ? <p className="line-clamp-2 text-sm">{agent.instructions}</p> : null}
      <Readiness agent={agent} driver={driver} />
    </article>
  );
}

function Readiness({ agent, driver }: { readonly agent: AgentRow; readonly driver: DriverInfo | undefined }) {
  const { readiness } = driver ?? {};
  const lacks = agent.model === null ? "It has no model: edit it and name one." : (readiness?.problem ?? null);
  if (driver === undefined) return <p className="text-sm text-bad">This host has no driver “{agent.driver}”.</p>;
  if (lacks === null)
    return <p className="text-sm text-good">Ready{readiness?.version ? ` · ${readiness.version}` : ""}</p>;
  return (
    <div className="text-sm text-warn">
      <p>{lacks}</p>
      {readiness?.fix ? <Command text={readiness.fix} /> : null}
    </div>
  );
}

/** What a person runs in a terminal to make it ready. */
function Command({ text }: { readonly text: string }) {
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(() => say("good", "Copied."), sayFailure);
  };
  return (
    <div className="mt-1 flex items-center gap-2 rounded bg-raised pl-2">
      <code className="min-w-0 flex-1 break-words py-1.5 text-text">{text}</code>
      <Button tone="quiet" className="self-start" aria-label={`Copy ${text}`} onClick={copy}>
        Copy
      </Button>
    </div>
  );
}
