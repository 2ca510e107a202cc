/** Which view the address names. The address is the one place that knows: back, forward and reload keep it. */
import { useSyncExternalStore } from "react";

export type View =
  | { readonly name: "session"; readonly id: string }
  | { readonly name: "home" | "approvals" | "agents" | "usage" };

export function viewOf(path: string): View {
  const [first, second] = path.split("/").filter((part) => part !== "");
  if (first === "sessions" && second !== undefined) return { name: "session", id: decodeURIComponent(second) };
  if (first === "approvals" || first === "agents" || first === "usage") return { name: first };
  return { name: "home" };
}
export const pathOf = (view: View): string => {
  if (view.name === "session") return `/sessions/${encodeURIComponent(view.id)}`;
  return view.name === "home" ? "/" : `/${view.name}`;
};

const listeners = new Set<() => void>();
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}
export function go(view: View): void {
  const path = pathOf(view);
  if (path !== window.location.pathname) window.history.pushState(null, "", path);
  for (const listener of listeners) listener();
}
export const useView = (): View => viewOf(useSyncExternalStore(subscribe, () => window.location.pathname));
