/** Where the person speaks: Enter sends, Shift+Enter breaks the line; while the agent works it is a steer or waits its turn. */
import { AttachmentPrimitive, ComposerPrimitive, useAui, useAuiEvent, useAuiState } from "@assistant-ui/react";
import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { ClipIcon, CrossIcon } from "../ui/icons.tsx";
import { say } from "../ui/notices.tsx";

type Delivery = "steer" | "queue";

/** `waiting`: the turn waits for an answer; what is said reaches the agent after it. */
type Turn = "open" | "waiting" | null;

export function Composer({ turn, onStop }: { readonly turn: Turn; readonly onStop: () => void }) {
  const isBusy = turn !== null;
  const aui = useAui();
  const [delivery, setDelivery] = useState<Delivery>("steer");
  const isEmpty = useAuiState(({ composer }) => composer.isEmpty);
  useAuiEvent("composer.attachmentAddError", ({ message }) => say("bad", message));
  const send = (how: Delivery): void => {
    aui.composer().setRunConfig({ custom: isBusy ? { delivery: how } : {} });
    aui.composer().send();
  };
  return (
    <ComposerPrimitive.Root
      className="rounded-xl border border-line bg-card p-2 shadow-sm focus-within:border-accent"
      onSubmit={(event) => {
        event.preventDefault();
        send(delivery);
      }}
    >
      <div className="flex flex-wrap gap-1.5">
        <ComposerPrimitive.Attachments components={{ Attachment }} />
      </div>
      <ComposerPrimitive.Input
        aria-label="Message"
        submitMode="none"
        addAttachmentOnPaste
        placeholder={
          isBusy ? (delivery === "steer" ? "Steer the agent…" : "Say what comes next…") : "What is to be done?"
        }
        className="max-h-[40dvh] min-h-10 w-full resize-none bg-transparent px-1.5 py-1 outline-none placeholder:text-soft"
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (!isEmpty) send(event.altKey ? other(delivery) : delivery);
        }}
      />
      <div className="flex items-center justify-between gap-2">
        <ComposerPrimitive.AddAttachment asChild>
          <Button tone="quiet" className="px-2" aria-label="Attach a file" title="Attach a file, or drop or paste one">
            <ClipIcon />
          </Button>
        </ComposerPrimitive.AddAttachment>
        <p className="hidden min-w-0 flex-1 truncate text-xs text-soft md:block">{hintFor(turn, delivery)}</p>
        <div className="flex items-center gap-1.5 sm:gap-2">
          {isBusy ? <DeliveryChoice delivery={delivery} onChoose={setDelivery} /> : null}
          {isBusy ? (
            <Button tone="bad" onClick={onStop}>
              Stop
            </Button>
          ) : null}
          <Button tone="accent" type="submit" disabled={isEmpty}>
            {isBusy ? (delivery === "steer" ? "Steer" : "Queue") : "Send"}
          </Button>
        </div>
      </div>
    </ComposerPrimitive.Root>
  );
}
function hintFor(turn: Turn, delivery: Delivery): string {
  if (turn === null) return "Enter sends · Shift+Enter breaks the line";
  if (turn === "waiting") return "It waits for your answer above. What you say is told after it.";
  return `Alt+Enter ${delivery === "steer" ? "queues" : "steers"} instead`;
}
const other = (delivery: Delivery): Delivery => (delivery === "steer" ? "queue" : "steer");

function DeliveryChoice({
  delivery,
  onChoose,
}: {
  readonly delivery: Delivery;
  readonly onChoose: (delivery: Delivery) => void;
}) {
  const choices = [
    ["steer", "Steer", " now", "The agent takes it at its next step"],
    ["queue", "Queue", "", "A turn of its own, after this one"],
  ] as const;
  return (
    <fieldset className="flex overflow-hidden rounded-md border border-line text-sm">
      <legend className="sr-only">While the agent works</legend>
      {choices.map(([value, word, rest, title]) => (
        <label
          key={value}
          title={title}
          className={`flex min-h-9 cursor-pointer items-center whitespace-pre px-2.5 pointer-coarse:min-h-11 has-focus-visible:outline-2 has-focus-visible:outline-accent ${delivery === value ? "bg-raised font-semibold" : "text-soft"}`}
        >
          <input
            type="radio"
            name="delivery"
            className="sr-only"
            checked={delivery === value}
            onChange={() => onChoose(value)}
          />
          {word}
          <span className="max-sm:sr-only">{rest}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Attachment() {
  const file = useAuiState(({ attachment }) => attachment.file);
  const name = useAuiState(({ attachment }) => attachment.name);
  return (
    <AttachmentPrimitive.Root className="mb-1 flex max-w-56 items-center gap-1.5 rounded-md border border-line bg-raised py-0.5 pr-0.5 pl-1.5 text-xs">
      {file?.type.startsWith("image/") ? <Thumbnail file={file} /> : null}
      <span className="min-w-0 truncate" title={name}>
        <AttachmentPrimitive.Name />
      </span>
      <AttachmentPrimitive.Remove
        aria-label={`Remove ${name}`}
        className="inline-flex size-7 shrink-0 items-center justify-center rounded hover:bg-card"
      >
        <CrossIcon />
      </AttachmentPrimitive.Remove>
    </AttachmentPrimitive.Root>
  );
}

/** What is about to be sent, as it looks; its bytes are let go with it. */
function Thumbnail({ file }: { readonly file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url === null ? null : <img src={url} alt="" className="size-8 rounded object-cover" />;
}
