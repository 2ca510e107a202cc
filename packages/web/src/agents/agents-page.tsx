/** The agents there are, whether each is ready, and what makes it so. */
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import type { AgentRow, DriverInfo } from "../api/types.ts";
import { useLoaded } from "../api/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { sayFailure } from "../ui/notices.tsx";
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
        <h1 className="m-0 text-lg font-semibold">Agents</h1>
        <Button tone="accent" onClick={() => setEdited("new")}>
          Add agent
        </Button>
      </div>
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
  const facts = [agent.driver, agent.model ?? "no model", agent.permissionMode];
  return (
    <article className="space-y-2 rounded-md border border-line bg-card p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="m-0 font-semibold">{agent.name}</h2>
        {isDefault ? <span className="rounded bg-raised px-1.5 text-xs text-soft">default</span> : null}
        <span className="flex-1" />
        {isDefault ? null : (
          <Button tone="quiet" onClick={onDefault}>
            Make default
          </Button>
        )}
        <Button onClick={onEdit}>Edit</Button>
      </header>
      <p className="m-0 text-sm text-soft">{facts.join(" · ")}</p>
      <Readiness agent={agent} driver={driver} />
    </article>
  );
}

function Readiness({ agent, driver }: { readonly agent: AgentRow; readonly driver: DriverInfo | undefined }) {
  const { readiness } = driver ?? {};
  const lacks = agent.model === null ? "It has no model: edit it and name one." : (readiness?.problem ?? null);
  if (driver === undefined) return <p className="m-0 text-sm text-bad">This host has no driver “{agent.driver}”.</p>;
  if (lacks === null)
    return <p className="m-0 text-sm text-good">Ready{readiness?.version ? ` · ${readiness.version}` : ""}</p>;
  return (
    <div className="text-sm text-warn">
      <p className="m-0">{lacks}</p>
      {readiness?.fix ? (
        <code className="mt-1 block break-all rounded bg-raised p-1.5 text-text">{readiness.fix}</code>
      ) : null}
    </div>
  );
}
