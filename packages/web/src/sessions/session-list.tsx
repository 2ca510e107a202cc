/** Every session with its state of now: what works, what waits for the person, what is held. */

import { useDeferredValue, useState } from "react";
import type { SessionListRow } from "../api/types.ts";
import { go } from "../app/router.ts";
import { ago } from "../ui/amounts.ts";
import { Button } from "../ui/button.tsx";
import { stateOf, stateWords, titleOf } from "./session-state.ts";

export function SessionList({
  sessions,
  shown,
  older,
  onNew,
}: {
  readonly sessions: readonly SessionListRow[];
  readonly shown: string | null;
  readonly older: (() => void) | null;
  readonly onNew: () => void;
}) {
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = sessions.filter((row) => `${titleOf(row)} ${row.workspace} ${row.id}`.toLowerCase().includes(wanted));
  return (
    <nav aria-label="Sessions" className="flex min-h-0 flex-1 flex-col gap-2">
      <div className="flex gap-2 px-3">
        <input
          type="search"
          aria-label="Search sessions"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="min-h-9 min-w-0 flex-1 rounded-md border border-line bg-card px-2.5 text-base placeholder:text-soft sm:text-sm"
        />
        <Button tone="accent" onClick={onNew}>
          New
        </Button>
      </div>
      <ul className="min-h-0 flex-1 space-y-0.5 overflow-y-auto px-2 pb-3">
        {found.map((row) => (
          <Row key={row.id} row={row} isShown={row.id === shown} />
        ))}
        {found.length === 0 ? (
          <li className="px-2 py-4 text-sm text-soft">
            {wanted === "" ? "No sessions yet. Press New to begin one." : "Nothing found."}
          </li>
        ) : null}
        {older === null ? null : (
          <li>
            <Button tone="quiet" className="w-full" onClick={older}>
              Older sessions
            </Button>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Row({ row, isShown }: { readonly row: SessionListRow; readonly isShown: boolean }) {
  const state = stateOf(row);
  const { word, className } = stateWords[state];
  const view = { name: "session", id: row.id } as const;
  return (
    <li>
      <a
        href={`/sessions/${row.id}`}
        aria-current={isShown ? "page" : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(view);
        }}
        className={`block rounded-md px-2.5 py-2 ${isShown ? "bg-raised" : "hover:bg-raised"}`}
      >
        <span className="block truncate text-sm font-medium">{titleOf(row)}</span>
        <span className="flex items-center gap-2 text-xs text-soft">
          <span className={`inline-flex shrink-0 items-center gap-1.5 font-medium ${className}`}>
            <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
            {word}
          </span>
          <span className="min-w-0 flex-1 truncate">
            {row.managed ? "own directory" : row.workspace.split("/").at(-1)}
          </span>
          <time className="shrink-0 tabular-nums" dateTime={new Date(row.updatedAt).toISOString()}>
            {ago(row.updatedAt, Date.now())}
          </time>
        </span>
      </a>
    </li>
  );
}
