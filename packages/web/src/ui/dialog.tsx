/** A modal dialog on the browser's own: it traps focus, closes with Escape, and gives focus back. */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";

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
      className="m-auto w-[min(34rem,calc(100vw-2rem))] rounded-lg border border-line bg-card p-0 text-text backdrop:bg-black/50"
    >
      <header className="flex items-center justify-between border-b border-line px-4 py-2.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <Button tone="quiet" aria-label="Close" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div className="p-4">{children}</div>
    </dialog>
  );
}
