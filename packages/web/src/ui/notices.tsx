/** What went wrong or was done, said once where everybody looks, and to screen readers. Each goes by itself or by hand. */
import { useSyncExternalStore } from "react";
import { Button } from "./button.tsx";

export type Notice = {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
  readonly action?: { readonly label: string; run(): void };
};
const limits = { most: 4, ms: 12_000 };
let notices: readonly Notice[] = [];
let made = 0;
const listeners = new Set<() => void>();
function set(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}
const remove = (id: number): void => set(notices.filter((notice) => notice.id !== id));

export function say(tone: Notice["tone"], text: string, action?: Notice["action"]): void {
  made += 1;
  const id = made;
  set([...notices, { id, tone, text, ...(action ? { action } : {}) }].slice(-limits.most));
  setTimeout(() => remove(id), limits.ms);
}
export const sayFailure = (cause: unknown): void => say("bad", cause instanceof Error ? cause.message : String(cause));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <section
      aria-label="Notices"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-2 z-50 flex flex-col items-center gap-2 px-3"
    >
      {shown.map((notice) => (
        <div
          key={notice.id}
          className={`pointer-events-auto flex max-w-xl items-center gap-3 rounded-md border border-line px-3 py-2 text-sm shadow-lg ${notice.tone === "bad" ? "bg-bad-bg text-bad" : "bg-good-bg text-good"}`}
        >
          <span>{notice.text}</span>
          {notice.action ? (
            <Button
              onClick={() => {
                notice.action?.run();
                remove(notice.id);
              }}
            >
              {notice.action.label}
            </Button>
          ) : null}
          <button type="button" aria-label="Dismiss" onClick={() => remove(notice.id)}>
            ✕
          </button>
        </div>
      ))}
    </section>
  );
}
