/** What was said beside the conversation: retries, compaction, notices; the newest few, at its end. */
import type { SessionView } from "../session/view.ts";

/** Notes shown at once. */
const most = 4;
const looks = { info: "text-soft", warning: "text-warn", error: "text-bad" } as const;

export function Notes({ view }: { readonly view: SessionView }) {
  const live = view.turn?.id ?? null;
  const shown = view.notes.filter(({ turnId }) => turnId === null || turnId === live).slice(-most);
  if (shown.length === 0) return null;
  return (
    <ul className="my-2 space-y-1 border-l-2 border-line pl-3 text-sm">
      {shown.map(({ key, level, text }) => (
        <li key={key} className={looks[level]}>
          {text}
        </li>
      ))}
    </ul>
  );
}
