/** The parts of a message in their order: text as markdown, reasoning folded, tool calls, files, sources. */
import type { StoredMessage } from "@mooring/host/protocol";
import { memo } from "react";
import { Streamdown } from "streamdown";
import { isTool } from "./convert-message.ts";
import { fileUrl } from "./file-url.ts";
import { ToolCall } from "./tool-call.tsx";

type Part = StoredMessage["parts"][number];

export function Parts({ parts }: { readonly parts: readonly Part[] }) {
  return parts.map((part, place) => <OnePart key={keyOf(part, place)} part={part} />);
}

/** Parts are only ever added at the end: a place is an identity. */
export const keyOf = (part: Part, place: number): string => (isTool(part) ? part.toolCallId : `${part.type}${place}`);

/** A part that did not change is not drawn again while another one grows. */
const OnePart = memo(({ part }: { readonly part: Part }) => {
  if (isTool(part)) return <ToolCall part={part} nested={(parts) => <Parts parts={parts} />} />;
  switch (part.type) {
    case "text":
      return <Markdown text={part.text} isGrowing={part.state === "streaming"} />;
    case "reasoning":
      return part.text === "" ? null : <Reasoning text={part.text} isGrowing={part.state === "streaming"} />;
    case "file":
      return <FilePart mediaType={part.mediaType} url={part.url} name={part.filename ?? null} />;
    case "source-url":
      return (
        <a className="text-sm text-accent underline" href={part.url} rel="noreferrer noopener" target="_blank">
          {part.title ?? part.url}
        </a>
      );
    case "source-document":
      return <p className="text-sm text-soft">Source: {part.title}</p>;
    default:
      return null;
  }
}, samePart);

/** A settled part keeps its length; one that grows does not. */
function samePart({ part: before }: { readonly part: Part }, { part: now }: { readonly part: Part }): boolean {
  if (before === now) return true;
  if ((before.type === "text" || before.type === "reasoning") && before.type === now.type)
    return before.text.length === now.text.length && before.state === now.state;
  return false;
}

function Markdown({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }) {
  return (
    <div className="markdown min-w-0 break-words">
      <Streamdown mode={isGrowing ? "streaming" : "static"} controls={false}>
        {text}
      </Streamdown>
    </div>
  );
}
function Reasoning({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }) {
  return (
    <details className="my-1 text-sm text-soft">
      <summary>{isGrowing ? "Thinking…" : "Thought"}</summary>
      <div className="mt-1 whitespace-pre-wrap border-l-2 border-line pl-3">{text}</div>
    </details>
  );
}
function FilePart({
  mediaType,
  url,
  name,
}: {
  readonly mediaType: string;
  readonly url: string;
  readonly name: string | null;
}) {
  const address = fileUrl(url);
  if (mediaType.startsWith("image/") && mediaType !== "image/svg+xml")
    return (
      <img src={address} alt={name ?? "Image"} className="my-1 max-h-96 max-w-full rounded-md border border-line" />
    );
  return (
    <a className="my-1 inline-block rounded-md border border-line bg-card px-2 py-1 text-sm" href={address} download>
      {name ?? mediaType}
    </a>
  );
}
