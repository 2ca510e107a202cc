/** The frame: sessions beside the view, or over it where the screen is narrow. */
import { useState } from "react";
import { AgentsPage } from "../agents/agents-page.tsx";
import { ApprovalsPage } from "../approvals/approvals-page.tsx";
import { Conversation } from "../conversation/conversation.tsx";
import { NewSession } from "../sessions/new-session.tsx";
import { SessionList } from "../sessions/session-list.tsx";
import { Button } from "../ui/button.tsx";
import { CrossIcon, MenuIcon } from "../ui/icons.tsx";
import { Notices, sayFailure } from "../ui/notices.tsx";
import { UsagePage } from "../usage/usage-page.tsx";
import { Home } from "./home.tsx";
import type { HostView } from "./host-view.ts";
import { canAsk, useAttention } from "./notify.ts";
import { go, useView, type View } from "./router.ts";
import { type Theme, useTheme } from "./theme.ts";
import { useHost } from "./use-host.ts";

export function App() {
  const view = useView();
  const { view: host, older } = useHost();
  const [isListShown, setListShown] = useState(view.name === "home");
  const [isAdding, setAdding] = useState(false);
  useAttention(host.approvals.length);
  const shown = view.name === "session" ? view.id : null;
  return (
    <div className="flex h-full min-h-0">
      <a href="#view" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-card focus:p-2">
        Skip to the view
      </a>
      <aside
        className={`${isListShown ? "flex" : "hidden"} absolute inset-0 z-20 min-h-0 flex-col gap-2 border-r border-line bg-page pt-3 md:static md:z-auto md:flex md:w-72`}
        onClickCapture={(event) => {
          if (event.target instanceof Element && event.target.closest("a")) setListShown(false);
        }}
      >
        <Top view={view} waiting={host.approvals.length} onHide={() => setListShown(false)} />
        <SessionList sessions={host.sessions} shown={shown} older={older} onNew={() => setAdding(true)} />
        <Bottom />
      </aside>
      <main id="view" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex items-center gap-2 border-b border-line bg-card px-2 py-1 md:hidden">
          <Button tone="quiet" className="px-2" aria-label="Sessions" onClick={() => setListShown(true)}>
            <MenuIcon />
          </Button>
          <span className="text-sm font-semibold">Mooring</span>
          {host.approvals.length > 0 ? (
            <Button tone="quiet" className="text-warn" onClick={() => go({ name: "approvals" })}>
              {host.approvals.length} waiting for you
            </Button>
          ) : null}
        </div>
        {host.isLost ? (
          <p role="status" className="bg-bad-bg px-3 py-1 text-center text-sm text-bad">
            The server does not answer. Trying again…
          </p>
        ) : null}
        <Main view={view} host={host} onNew={() => setAdding(true)} />
      </main>
      {isAdding ? (
        <NewSession
          onClose={() => setAdding(false)}
          onMade={() => {
            setAdding(false);
            setListShown(false);
          }}
        />
      ) : null}
      <Notices />
    </div>
  );
}

type MainProps = { readonly view: View; readonly host: HostView; readonly onNew: () => void };

function Main({ view, host, onNew }: MainProps) {
  switch (view.name) {
    case "session":
      return <Conversation key={view.id} id={view.id} />;
    case "approvals":
      return <ApprovalsPage approvals={host.approvals} sessions={host.sessions} />;
    case "agents":
      return <AgentsPage />;
    case "usage":
      return <UsagePage />;
    case "home":
      return <Home waiting={host.approvals.length} isEmpty={host.sessions.length === 0} onNew={onNew} />;
  }
}

const links = [
  ["approvals", "Approvals"],
  ["agents", "Agents"],
  ["usage", "Usage"],
] as const;

function Top({
  view,
  waiting,
  onHide,
}: {
  readonly view: View;
  readonly waiting: number;
  readonly onHide: () => void;
}) {
  return (
    <div className="space-y-2 px-3">
      <div className="flex items-center justify-between">
        <a
          href="/"
          className="text-lg font-bold text-accent"
          onClick={(event) => {
            event.preventDefault();
            go({ name: "home" });
          }}
        >
          Mooring
        </a>
        <Button tone="quiet" aria-label="Hide sessions" className="px-2 md:hidden" onClick={onHide}>
          <CrossIcon />
        </Button>
      </div>
      <nav aria-label="Pages" className="-mx-2 flex gap-1 text-sm">
        {links.map(([name, word]) => (
          <a
            key={name}
            href={`/${name}`}
            aria-current={view.name === name ? "page" : undefined}
            className={`rounded-md px-2 py-1 pointer-coarse:py-2.5 ${view.name === name ? "bg-raised font-semibold" : "text-soft hover:bg-raised"}`}
            onClick={(event) => {
              event.preventDefault();
              go({ name });
            }}
          >
            {word}
            {name === "approvals" && waiting > 0 ? <span className="ml-1 font-bold text-warn">{waiting}</span> : null}
          </a>
        ))}
      </nav>
    </div>
  );
}

function Bottom() {
  const [theme, setTheme] = useTheme();
  const [asks, setAsks] = useState(canAsk);
  return (
    <div className="flex items-center justify-between gap-2 border-t border-line px-3 py-2">
      <select
        aria-label="Theme"
        value={theme}
        onChange={({ target }) => setTheme(target.value as Theme)}
        className="min-h-9 rounded-md border border-line bg-card px-2 text-xs"
      >
        <option value="system">System theme</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
      {asks ? (
        <Button
          tone="quiet"
          className="text-xs"
          onClick={() => Notification.requestPermission().then(() => setAsks(canAsk()), sayFailure)}
        >
          Notify me
        </Button>
      ) : null}
    </div>
  );
}
