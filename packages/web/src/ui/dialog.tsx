/** A modal dialog on the browser's own: it traps focus, closes with Escape, and gives focus back. */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";
import { CrossIcon } from "./icons.tsx";

export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={onClose}
      className="m-auto max-h-[calc(100dvh-1.5rem)] w-[min(36rem,calc(100vw-1.5rem))] flex-col overflow-hidden rounded-xl border border-line bg-card p-0 text-text shadow-2xl backdrop:bg-black/50 open:flex"
    >
      <header className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-4">
        <h2 id={id} className="min-w-0 truncate font-semibold">
          {title}
        </h2>
        <Button tone="quiet" className="px-2" aria-label="Close" onClick={onClose}>
          <CrossIcon />
        </Button>
      </header>
      <div className="min-h-0 overflow-y-auto">{children}</div>
    </dialog>
  );
}

/** The end of a form in a dialog: always in sight, however long the form is. */
export function DialogEnd({
  submit,
  disabled = false,
  onCancel,
}: {
  readonly submit: string;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
}) {
  return (
    <footer className="sticky bottom-0 -mx-4 -mb-4 flex justify-end gap-2 border-t border-line bg-card px-4 py-3">
      <Button onClick={onCancel}>Cancel</Button>
      <Button tone="accent" type="submit" disabled={disabled}>
        {submit}
      </Button>
    </footer>
  );
}
