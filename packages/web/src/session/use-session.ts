/** A session's view as it changes, for as long as somebody looks; and whether the server is heard. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { api } from "../api/api.ts";
import { say, sayFailure } from "../ui/notices.tsx";
import { SessionViewer } from "./session-viewer.ts";
import type { SessionView } from "./view.ts";

/** Messages asked for at once. */
const pageSize = 60;

export type Followed = {
  readonly view: SessionView;
  /** `lost`: tries to come back by itself. `gone`: there is no such session. */
  readonly connection: "opening" | "live" | "lost" | "gone";
  earlier(): Promise<void>;
};

export function useSession(id: string): Followed {
  const viewer = useMemo(
    () =>
      new SessionViewer({
        page: (before) => api.messages(id, { limit: pageSize, ...(before === null ? {} : { before }) }),
        turns: (ids) => api.turns(id, ids),
        nextFrame: (call) => whenDrawn(call),
        failed: sayFailure,
      }),
    [id],
  );
  const [connection, setConnection] = useState<Followed["connection"]>("opening");
  useEffect(() => {
    const stop = new AbortController();
    setConnection("opening");
    api.follow(id, viewer, { signal: stop.signal, connection: setConnection }).catch((cause: unknown) => {
      if (stop.signal.aborted) return;
      setConnection("gone");
      say("bad", cause instanceof Error ? cause.message : String(cause));
    });
    return () => stop.abort();
  }, [id, viewer]);
  const view = useSyncExternalStore(viewer.subscribe, viewer.view);
  return { view, connection, earlier: () => viewer.earlier() };
}

/** A hidden page draws no frames, and must not fall behind for it. */
function whenDrawn(call: () => void): void {
  if (document.visibilityState === "hidden") setTimeout(call, hiddenMs);
  else requestAnimationFrame(call);
}
const hiddenMs = 200;
