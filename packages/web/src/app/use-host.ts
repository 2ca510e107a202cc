/** All sessions and all open questions, as they change. */
import { useEffect, useReducer } from "react";
import { api } from "../api/api.ts";
import { sayFailure } from "../ui/notices.tsx";
import { applyHostEvent, emptyHost, type HostView } from "./host-view.ts";

export function useHost(): { readonly view: HostView; readonly older: (() => void) | null } {
  const [view, apply] = useReducer(applyHostEvent, emptyHost);
  useEffect(() => {
    const stop = new AbortController();
    const connection = (isLost: boolean): void => apply({ type: "connection", isLost });
    api.watch({ signal: stop.signal, hear: apply, connection }).catch((cause: unknown) => {
      if (!stop.signal.aborted) sayFailure(cause);
    });
    return () => stop.abort();
  }, []);
  const { next } = view;
  const older = (): void => {
    if (next === null) return;
    api.sessions(next).then((page) => apply({ type: "older", ...page }), sayFailure);
  };
  return { view, older: next === null ? null : older };
}
