/** Where the person speaks: Enter sends, Shift+Enter breaks the line; while the agent works it is a steer or waits its turn. */
import { AttachmentPrimitive, ComposerPrimitive, useAui, useAuiState } from "@assistant-ui/react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { ClipIcon } from "../ui/icons.tsx";

type Delivery = "steer" | "queue";

export function Composer({ isBusy, onStop }: { readonly isBusy: boolean; readonly onStop: () => void }) {
  const aui = useAui();
  const [delivery, setDelivery] = useState<Delivery>("steer");
  const isEmpty = useAuiState(({ composer }) => composer.isEmpty);
  const send = (how: Delivery): void => {
    aui.composer().setRunConfig({ custom: isBusy ? { delivery: how } : {} });
    aui.composer().send();
  };
  return (
    <ComposerPrimitive.AttachmentDropzone asChild>
      <ComposerPrimitive.Root
        className="rounded-lg border border-line bg-card p-2 shadow-sm data-[dragging=true]:border-accent"
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
          className="max-h-60 min-h-10 w-full resize-none bg-transparent px-1.5 py-1 outline-none placeholder:text-soft"
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (!isEmpty) send(event.altKey ? other(delivery) : delivery);
          }}
        />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <ComposerPrimitive.AddAttachment asChild>
            <Button tone="quiet" aria-label="Attach a file">
              <ClipIcon />
            </Button>
          </ComposerPrimitive.AddAttachment>
          <div className="flex items-center gap-2">
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
    </ComposerPrimitive.AttachmentDropzone>
  );
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
    ["steer", "Steer now", "The agent takes it at its next step"],
    ["queue", "Queue", "A turn of its own, after this one"],
  ] as const;
  return (
    <fieldset className="flex overflow-hidden rounded-md border border-line text-sm">
      <legend className="sr-only">While the agent works</legend>
      {choices.map(([value, word, title]) => (
        <label
          key={value}
          title={title}
          className={`cursor-pointer px-2.5 py-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent ${delivery === value ? "bg-raised font-semibold" : "text-soft"}`}
        >
          <input
            type="radio"
            name="delivery"
            className="sr-only"
            checked={delivery === value}
            onChange={() => onChoose(value)}
          />
          {word}
        </label>
      ))}
    </fieldset>
  );
}

function Attachment() {
  return (
    <AttachmentPrimitive.Root className="mb-1 flex items-center gap-1 rounded border border-line bg-raised px-2 py-0.5 text-xs">
      <AttachmentPrimitive.Name />
      <AttachmentPrimitive.Remove aria-label="Remove">✕</AttachmentPrimitive.Remove>
    </AttachmentPrimitive.Root>
  );
}
