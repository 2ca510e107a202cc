/** What a session is and how it stands, with what can be done to the whole of it. */
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { useLoaded } from "../api/use-loaded.ts";
import { go } from "../app/router.ts";
import type { Followed } from "../session/use-session.ts";
import type { SessionView } from "../session/view.ts";
import { titleOf } from "../sessions/session-state.ts";
import { money, tokens } from "../ui/amounts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogEnd } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Menu } from "../ui/menu.tsx";
import { say, sayFailure } from "../ui/notices.tsx";

type HeaderProps = {
  readonly id: string;
  readonly view: SessionView;
  readonly connection: Followed["connection"];
};

export function SessionHeader({ id, view, connection }: HeaderProps) {
  const { session } = view;
  const [renaming, setRenaming] = useState(false);
  const title = session ? titleOf(session) : "…";
  useEffect(() => {
    document.title = `${title} · Mooring`;
  }, [title]);
  const actions = (
    <>
      <Button tone="quiet" onClick={() => setRenaming(true)}>
        Rename
      </Button>
      <a className={linkLook} href={api.exportUrl(id)} download>
        Export
      </a>
      <Button tone="quiet" onClick={() => remove(id)}>
        Delete
      </Button>
    </>
  );
  return (
    <header className="border-b border-line bg-card py-2">
      <div className="mx-auto flex max-w-3xl items-center gap-1 px-3">
        <h1 className="min-w-0 flex-1 truncate text-base font-semibold" title={title}>
          {title}
        </h1>
        <div className="hidden items-center sm:flex">{actions}</div>
        <div className="sm:hidden">
          <Menu label="Session actions">{actions}</Menu>
        </div>
      </div>
      <p className="mx-auto flex max-w-3xl flex-wrap gap-x-3 px-3 text-xs text-soft">
        <Facts id={id} view={view} />
        <span role="status" className={connection === "lost" ? "font-medium text-bad" : ""}>
          {connectionWords[connection]}
        </span>
      </p>
      {renaming ? <Rename id={id} title={session?.title ?? ""} onClose={() => setRenaming(false)} /> : null}
    </header>
  );
}
const linkLook =
  "inline-flex min-h-9 items-center rounded-md px-3 py-1.5 text-sm font-medium text-soft hover:bg-raised hover:text-text pointer-coarse:min-h-11";

/** Who works where, how full its context is, and what it all cost until now. */
function Facts({ id, view: { session, context, turns } }: Pick<HeaderProps, "id" | "view">) {
  const agents = useLoaded(() => api.agents(), session?.agentId ?? null);
  const used = useLoaded(() => api.sessionUsage(id), turns.size);
  if (!session) return null;
  const place = session.managed ? "own directory" : session.workspace.split("/").slice(-2).join("/");
  const facts = [
    agents?.find((agent) => agent.id === session.agentId)?.name,
    session.permissionMode,
    context && `context ${tokens(context.used)} of ${tokens(context.window)}`,
    used && used.requests > 0 && `${tokens(used.total.input)} in, ${tokens(used.total.output)} out`,
    used?.cost.map(money).join(", "),
  ];
  return (
    <>
      <span className="max-w-56 truncate" title={session.workspace}>
        {place}
      </span>
      {facts.map((fact) => (fact ? <span key={fact}>{fact}</span> : null))}
    </>
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
        className="space-y-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          api.rename(id, text.trim()).then(onClose, sayFailure);
        }}
      >
        <TextField label="Title" value={text} maxLength={200} onChange={(event) => setText(event.target.value)} />
        <DialogEnd submit="Rename" disabled={text.trim() === ""} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
