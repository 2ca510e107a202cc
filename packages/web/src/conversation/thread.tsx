/**
 * The conversation as a list that draws only what is near the screen. Invariants: at the end it stays at the end while
 * messages grow; anywhere else what a person reads does not move, older pages coming in included.
 */
import { ThreadPrimitive, unstable_useThreadMessageIds as useMessageIds } from "@assistant-ui/react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { SessionView } from "../session/view.ts";
import { Button } from "../ui/button.tsx";
import { sayFailure } from "../ui/notices.tsx";
import { AssistantMessage, UserMessage } from "./message-row.tsx";
import { Notes } from "./notes.tsx";

/** Pixels from the end that still count as being there. */
const nearEnd = 80;
const components = { UserMessage, AssistantMessage };
type Box = { readonly current: HTMLDivElement | null };

export function Thread({ view, earlier }: { readonly view: SessionView; readonly earlier: () => Promise<void> }) {
  const { older } = view;
  const ids = useMessageIds();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const following = useRef(true);
  const [follows, setFollows] = useState(true);
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 6,
  });
  const first = ids[0];
  usePlaceKept(scroller, first);
  const toEnd = useEnd(scroller, content, following);
  return (
    <ThreadPrimitive.Root className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        role="log"
        aria-label="Messages"
        aria-live="off" // announced as a whole, not letter by letter
        className="h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
        onScroll={({ currentTarget: box }) => {
          const isNearEnd = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
          // What grows moves nobody up: only a person does.
          if (isNearEnd || box.scrollTop < lastTop.current) {
            following.current = isNearEnd; // now: what grows in this very frame must not pull them back
            setFollows(isNearEnd);
          }
          lastTop.current = box.scrollTop;
          if (box.scrollTop < nearEnd && older !== null) earlier().catch(sayFailure);
        }}
      >
        <div ref={content} className="mx-auto w-full max-w-3xl px-3 py-4">
          {older === null ? null : (
            <Button tone="quiet" className="w-full" onClick={() => earlier().catch(sayFailure)}>
              Earlier messages
            </Button>
          )}
          <div style={{ height: rows.getTotalSize() }} className="relative">
            {rows.getVirtualItems().map((row) => (
              <div
                key={row.key}
                ref={rows.measureElement}
                data-index={row.index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <ThreadPrimitive.Unstable_MessageById messageId={ids[row.index] ?? ""} components={components} />
              </div>
            ))}
          </div>
          <Notes view={view} />
        </div>
      </div>
      {follows ? null : (
        <Button className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-md" onClick={toEnd}>
          ↓ To the end
        </Button>
      )}
    </ThreadPrimitive.Root>
  );
}

/** While a person is at the end they stay there, whatever grows: text, a question, a picture that has come. */
function useEnd(scroller: Box, content: Box, following: { readonly current: boolean }): () => void {
  const toEnd = useCallback((): void => {
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, [scroller]);
  useLayoutEffect(() => {
    if (!content.current) return;
    const watcher = new ResizeObserver(() => following.current && toEnd());
    watcher.observe(content.current);
    toEnd();
    return () => watcher.disconnect();
  }, [content, following, toEnd]);
  return toEnd;
}

/** When older messages come in above, what is on the screen stays where it is. */
function usePlaceKept(scroller: Box, first: string | undefined): void {
  const before = useRef({ first, height: 0 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const grown = box.scrollHeight - before.current.height;
    if (before.current.first !== undefined && before.current.first !== first && grown > 0) box.scrollTop += grown;
    before.current = { first, height: box.scrollHeight };
  }, [first, scroller]);
  useEffect(() => {
    if (scroller.current) before.current.height = scroller.current.scrollHeight;
  });
}
