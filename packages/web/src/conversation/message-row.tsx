/** One message with what belongs to it: who says it, its parts, and how its turn ended. */
import { MessagePrimitive, useAuiState } from "@assistant-ui/react";
import type { StoredMessage } from "@mooring/host/protocol";
import { memo } from "react";
import { api } from "../api/api.ts";
import { go } from "../app/router.ts";
import type { SettledTurn } from "../session/view.ts";
import { duration, money, tokens } from "../ui/amounts.ts";
import { CopyIcon, ForkIcon } from "../ui/icons.tsx";
import { say, sayFailure } from "../ui/notices.tsx";
import { keyOf, Parts } from "./parts.tsx";
import { useConversation } from "./use-conversation.ts";

const useStored = (): StoredMessage | undefined =>
  useAuiState(({ message }) => message.metadata.custom["stored"]) as StoredMessage | undefined;

export function UserMessage() {
  const message = useStored();
  if (!message) return null;
  return (
    <MessagePrimitive.Root
      className="group flex items-end justify-end gap-1 py-2.5"
      data-message={message.id}
      data-role="user"
    >
      <Actions message={message} />
      <div className="min-w-0 max-w-[85%] rounded-2xl rounded-br-sm bg-raised px-3.5 py-2">
        <span className="sr-only">You said: </span>
        <UserParts parts={message.parts} />
      </div>
    </MessagePrimitive.Root>
  );
}
/** What a person wrote is shown as written. */
const UserParts = memo(({ parts }: { readonly parts: StoredMessage["parts"] }) =>
  parts.map((part, place) => <UserPart key={keyOf(part, place)} part={part} />),
);
function UserPart({ part }: { readonly part: StoredMessage["parts"][number] }) {
  if (part.type !== "text") return <Parts parts={[part]} />;
  return <p className="whitespace-pre-wrap break-words">{part.text}</p>;
}

export function AssistantMessage() {
  const message = useStored();
  const { view } = useConversation();
  if (!message) return null;
  const turn = message.turnId === null ? undefined : view.turns.get(message.turnId);
  const isLastOfTurn = view.messages.findLast(({ turnId, role }) => role === "assistant" && turnId === message.turnId);
  return (
    <MessagePrimitive.Root className="group py-2.5" data-message={message.id} data-role="assistant">
      <span className="sr-only">The agent: </span>
      <Parts parts={message.parts} />
      {message.status === "open" && message.parts.length === 0 ? (
        <p className="animate-pulse text-sm text-soft">Working…</p>
      ) : null}
      <div className="mt-1 flex min-h-7 items-center gap-3">
        {isLastOfTurn?.id === message.id ? <TurnEnd message={message} turn={turn} /> : null}
        <Actions message={message} />
      </div>
    </MessagePrimitive.Root>
  );
}

function TurnEnd({ message, turn }: { readonly message: StoredMessage; readonly turn: SettledTurn | undefined }) {
  const { status } = message;
  const outcome = turn?.outcome ?? (status === "open" ? null : status);
  if (outcome === null) return null;
  const took = turn && [duration(turn.durationMs), ...usedBy(turn), ...(turn.cost ?? []).map(money)];
  return (
    <footer className="min-w-0 text-xs text-soft">
      {outcome === "completed" ? null : (
        <p className={`break-words text-sm font-medium ${outcome === "failed" ? "text-bad" : "text-warn"}`}>
          {words[outcome]}
          {turn?.error ? `: ${turn.error.message}` : ""}
        </p>
      )}
      {took ? <p>{took.join(" · ")}</p> : null}
    </footer>
  );
}
/** Nothing, where the agent reported nothing: a turn that was stopped early. */
function usedBy({ usage: { input, output, cacheRead } }: SettledTurn): readonly string[] {
  if (input + output === 0) return [];
  return [`${tokens(input)} in${cacheRead > 0 ? ` (${tokens(cacheRead)} cached)` : ""}`, `${tokens(output)} out`];
}
const words = { failed: "The turn failed", stopped: "Stopped", interrupted: "Interrupted" } as const;

function Actions({ message }: { readonly message: StoredMessage }) {
  const { id } = useConversation();
  if (message.status === "open") return null;
  const fork = (): void => {
    api
      .fork(id, { messageId: message.id, position: "at" })
      .then((made) => go({ name: "session", id: made.id }), sayFailure);
  };
  const copy = (): void => {
    const text = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
    navigator.clipboard.writeText(text).then(() => say("good", "Copied."), sayFailure);
  };
  const look =
    "inline-flex size-7 items-center justify-center rounded text-soft hover:bg-raised hover:text-text pointer-coarse:size-9";
  return (
    <div className="flex shrink-0 opacity-0 focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
      <button type="button" className={look} aria-label="Copy" title="Copy" onClick={copy}>
        <CopyIcon />
      </button>
      <button type="button" className={look} aria-label="Fork here" title="Fork here" onClick={fork}>
        <ForkIcon />
      </button>
    </div>
  );
}
