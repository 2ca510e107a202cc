/** Buttons behind a button, where there is no room for them. Closes with Escape, with a choice, and when focus leaves. */
import { type ReactNode, useRef } from "react";
import { MoreIcon } from "./icons.tsx";

export function Menu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      className="relative"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape") return;
        close();
        currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary
        aria-label={label}
        className="flex min-h-9 min-w-9 list-none items-center justify-center rounded-md text-soft hover:bg-raised pointer-coarse:min-h-11 pointer-coarse:min-w-11 [&::-webkit-details-marker]:hidden"
      >
        <MoreIcon />
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are pressed, it only closes after them */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key pressed on a button is a click */}
      <div
        onClick={close}
        className="absolute right-0 z-30 mt-1 flex min-w-40 flex-col rounded-lg border border-line bg-card p-1 shadow-lg *:justify-start"
      >
        {children}
      </div>
    </details>
  );
}
