/** One tool call: a line that says what it is about, and on demand what went in and what came out. */
import type { StoredMessage } from "@mooring/host/protocol";
import { type ReactNode, useState } from "react";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { isTool, toolNameOf } from "./convert-message.ts";
import { Block, InputView } from "./input-view.tsx";
import { readableInput, summaryOf } from "./readable.ts";
import { readableOutput } from "./readable-output.ts";
import { useConversation } from "./use-conversation.ts";

type ToolPart = Extract<StoredMessage["parts"][number], { toolCallId: string }>;

const states: { readonly [S in ToolPart["state"]]: { readonly word: string; readonly className: string } } = {
  "input-streaming": { word: "preparing", className: "text-soft" },
  "input-available": { word: "running", className: "text-accent" },
  "approval-requested": { word: "waits for you", className: "text-warn" },
  "approval-responded": { word: "running", className: "text-accent" },
  "output-available": { word: "done", className: "text-good" },
  "output-error": { word: "failed", className: "text-bad" },
  "output-denied": { word: "denied", className: "text-bad" },
};

/** Draws the parts of what a sub-agent writes. */
type Nested = (parts: StoredMessage["parts"]) => ReactNode;

export function ToolCall({ part, nested }: { readonly part: ToolPart; readonly nested: Nested }) {
  const { view } = useConversation();
  const [isOpen, setOpen] = useState(false);
  const { word, className } = states[part.state];
  const flows = view.flows.get(part.toolCallId) ?? [];
  const question = [...view.approvals.values()].find(({ toolCallId }) => toolCallId === part.toolCallId);
  return (
    <div className="my-1.5 overflow-hidden rounded-md border border-line bg-card text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center min-h-9 gap-2 px-2.5 py-1.5 text-left hover:bg-raised"
      >
        <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
        <span className="font-semibold">{toolNameOf(part)}</span>
        <code className="min-w-0 flex-1 truncate text-xs text-soft">{summaryOf(part.input)}</code>
        <span className={`shrink-0 text-xs font-medium ${className}`}>{word}</span>
      </button>
      {question ? <ApprovalCard approval={question} /> : null}
      {isOpen ? <Details part={part} /> : null}
      {flows.length > 0 ? <Flows flows={flows} isOpen={isOpen} nested={nested} /> : null}
    </div>
  );
}

function Details({ part }: { readonly part: ToolPart }) {
  return (
    <div className="space-y-2 border-t border-line p-2.5">
      <InputView readable={readableInput(part.input)} />
      <Output part={part} />
    </div>
  );
}
function Output({ part }: { readonly part: ToolPart }) {
  if (part.state === "output-error")
    return (
      <Block label="Error" tone="text-bad">
        {part.errorText}
      </Block>
    );
  if (part.state === "output-denied")
    return <p className="text-bad">Denied{part.approval.reason ? `: ${part.approval.reason}` : "."}</p>;
  if (part.state !== "output-available") return null;
  const { images, text } = readableOutput(part.output);
  return (
    <>
      {images.map((url) => (
        <img
          key={url}
          src={url}
          alt="What the tool gave"
          className="max-h-96 max-w-full rounded-md border border-line"
        />
      ))}
      {text === "" && images.length > 0 ? null : <Block label="Output">{text === "" ? "(nothing)" : text}</Block>}
    </>
  );
}

/** What a sub-agent writes under this call. */
type FlowsProps = { readonly flows: readonly StoredMessage[]; readonly isOpen: boolean; readonly nested: Nested };

function Flows({ flows, isOpen, nested }: FlowsProps) {
  const calls = flows.flatMap(({ parts }) => parts.filter(isTool)).length;
  const isWorking = flows.some(({ status }) => status === "open");
  return (
    <details open={isOpen || isWorking} className="border-t border-line">
      <summary className="px-2.5 py-1.5 text-xs text-soft">
        Sub-agent: {calls} tool calls{isWorking ? ", working" : ""}
      </summary>
      <div className="border-l-2 border-accent px-3 pb-2 ml-2.5">
        {flows.map((message) => (
          <div key={message.id}>{nested(message.parts)}</div>
        ))}
      </div>
    </details>
  );
}
