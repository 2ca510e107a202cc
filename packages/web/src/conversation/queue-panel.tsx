/** What was said and not taken yet: steers on their way, and the queue, which can be edited, moved, cancelled, released. */
import { useState } from "react";
import { api } from "../api/api.ts";
import { type LiveInput, offeredInputs, type SessionView, waitingInputs } from "../session/view.ts";
import { Button } from "../ui/button.tsx";
import { AreaField } from "../ui/field.tsx";
import { sayFailure } from "../ui/notices.tsx";

const reasons: { readonly [R in NonNullable<LiveInput["reason"]>]: string } = {
  failed: "held: the last turn failed",
  stopped: "held: the last turn was stopped",
  interrupted: "held: the last turn was interrupted",
  uncertain: "held: the agent may have read it already",
};
const textOf = ({ parts }: LiveInput): string =>
  parts.map((part) => (part.type === "text" ? part.text : "(file)")).join(" ");

export function QueuePanel({ id, view }: { readonly id: string; readonly view: SessionView }) {
  const [offered, waiting] = [offeredInputs(view), waitingInputs(view)];
  const held = waiting.filter(({ state }) => state === "held");
  if (offered.length + waiting.length === 0) return null;
  return (
    <section aria-label="Queue" className="mb-2 rounded-lg border border-line bg-card p-2 text-sm">
      {offered.map((input) => (
        <div key={input.id} className="flex items-center gap-2 px-1 py-0.5">
          <span className="shrink-0 text-xs font-medium text-accent">steer, offered</span>
          <span className="min-w-0 flex-1 truncate">{textOf(input)}</span>
          <Button tone="quiet" onClick={() => api.cancelInput(id, input.id).catch(sayFailure)}>
            Take back
          </Button>
        </div>
      ))}
      <ol className="list-none p-0">
        {waiting.map((input, index) => (
          <Waiting
            key={input.id}
            session={id}
            input={input}
            around={[waiting[index - 1], waiting[index + 1], waiting[index + 2]]}
          />
        ))}
      </ol>
      {held.length > 1 ? (
        <Button className="mt-1" onClick={() => api.release(id).catch(sayFailure)}>
          Release all {held.length}
        </Button>
      ) : null}
    </section>
  );
}

type Around = readonly [LiveInput | undefined, LiveInput | undefined, LiveInput | undefined];

function Waiting({
  session,
  input,
  around: [previous, next, afterNext],
}: {
  readonly session: string;
  readonly input: LiveInput;
  readonly around: Around;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const move = (before: string | null): void => void api.moveInput(session, input.id, before).catch(sayFailure);
  const save = (): void => {
    if (draft === null) return;
    api.editInput(session, input.id, draft).then(() => setDraft(null), sayFailure);
  };
  return (
    <li className="rounded px-1 py-0.5 hover:bg-raised">
      <div className="flex flex-wrap items-center gap-1">
        <span className={`shrink-0 text-xs font-medium ${input.state === "held" ? "text-bad" : "text-soft"}`}>
          {input.state === "held" && input.reason ? reasons[input.reason] : "queued"}
        </span>
        <span className="min-w-24 flex-1 truncate">{textOf(input)}</span>
        {input.state === "held" ? (
          <Button tone="quiet" onClick={() => api.release(session, input.id).catch(sayFailure)}>
            Release
          </Button>
        ) : null}
        <Button tone="quiet" onClick={() => setDraft(textOf(input))}>
          Edit
        </Button>
        <Button tone="quiet" aria-label="Earlier" disabled={!previous} onClick={() => previous && move(previous.id)}>
          ↑
        </Button>
        <Button tone="quiet" aria-label="Later" disabled={!next} onClick={() => move(afterNext?.id ?? null)}>
          ↓
        </Button>
        <Button tone="quiet" aria-label="Cancel" onClick={() => api.cancelInput(session, input.id).catch(sayFailure)}>
          ✕
        </Button>
      </div>
      {draft === null ? null : (
        <div className="space-y-2 p-2">
          <AreaField label="What is to be said" value={draft} onChange={setDraft} />
          <div className="flex gap-2">
            <Button tone="accent" onClick={save}>
              Save
            </Button>
            <Button onClick={() => setDraft(null)}>Cancel</Button>
          </div>
        </div>
      )}
    </li>
  );
}
