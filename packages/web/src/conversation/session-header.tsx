/** What a session is and how it stands, with what can be done to the whole of it. */
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { go } from "../app/router.ts";
import type { Followed } from "../session/use-session.ts";
import type { SessionView } from "../session/view.ts";
import { titleOf } from "../sessions/session-state.ts";
import { tokens } from "../ui/amounts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { say, sayFailure } from "../ui/notices.tsx";

type HeaderProps = {
  readonly id: string;
  readonly view: SessionView;
  readonly connection: Followed["connection"];
};

export function SessionHeader({ id, view, connection }: HeaderProps) {
  const { session, context } = view;
  const [renaming, setRenaming] = useState(false);
  const title = session ? titleOf(session) : "…";
  useEffect(() => {
    document.title = `${title} · Mooring`;
  }, [title]);
  return (
    <header className="border-b border-line bg-card px-3 py-2">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="m-0 min-w-0 flex-1 truncate text-base font-semibold">{title}</h1>
        <Button tone="quiet" onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <a className="rounded-md px-2 py-1 text-sm text-soft hover:bg-raised" href={api.exportUrl(id)} download>
          Export
        </a>
        <Button tone="quiet" onClick={() => remove(id)}>
          Delete
        </Button>
      </div>
      <p className="mx-auto my-0 flex max-w-3xl flex-wrap gap-x-3 text-xs text-soft">
        <span className="break-all">{session?.workspace}</span>
        <span>{session?.permissionMode ?? ""}</span>
        {context ? <span>{`context ${tokens(context.used)} of ${tokens(context.window)}`}</span> : null}
        <span role="status" className={connection === "lost" ? "font-medium text-bad" : ""}>
          {connectionWords[connection]}
        </span>
      </p>
      {renaming ? <Rename id={id} title={session?.title ?? ""} onClose={() => setRenaming(false)} /> : null}
    </header>
  );
}
const connectionWords: { readonly [C in Followed["connection"]]: string } = {
  opening: "Opening…",
  live: "",
  lost: "Connection lost. Trying again…",
  gone: "This session is not there.",
};

function remove(id: string): void {
  api.remove(id).then(() => {
    go({ name: "home" });
    say("good", "The session is deleted.", {
      label: "Undo",
      run: () => void api.restore(id).then(() => go({ name: "session", id }), sayFailure),
    });
  }, sayFailure);
}

function Rename({ id, title, onClose }: { readonly id: string; readonly title: string; readonly onClose: () => void }) {
  const [text, setText] = useState(title);
  return (
    <Dialog title="Rename session" onClose={onClose}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          api.rename(id, text.trim()).then(onClose, sayFailure);
        }}
      >
        <TextField label="Title" value={text} maxLength={200} onChange={(event) => setText(event.target.value)} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="accent" type="submit" disabled={text.trim() === ""}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
