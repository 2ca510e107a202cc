/** Tells a person elsewhere that something waits for them: a count in the title's badge, and a notification if they want. */
import { useEffect, useRef } from "react";

export function useAttention(open: number): void {
  const before = useRef(open);
  useEffect(() => {
    const badge = open === 0 ? "" : `(${open}) `;
    const plain = document.title.replace(/^\(\d+\) /, "");
    document.title = `${badge}${plain}`;
    if (open > before.current && document.visibilityState === "hidden" && allowed())
      new Notification("Mooring", { body: "A session waits for you.", tag: "mooring-approval" });
    before.current = open;
  });
}
const allowed = (): boolean => "Notification" in window && Notification.permission === "granted";
export const canAsk = (): boolean => "Notification" in window && Notification.permission === "default";
