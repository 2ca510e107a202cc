/** Where a person begins: what waits for them, and a new session; with no agent that is ready, what is to be done first. */
import { useEffect } from "react";
import { api } from "../api/api.ts";
import { useLoaded } from "../api/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { go } from "./router.ts";

export function Home({
  waiting,
  isEmpty,
  onNew,
}: {
  readonly waiting: number;
  readonly isEmpty: boolean;
  readonly onNew: () => void;
}) {
  const preset = useLoaded(() => api.defaultAgent());
  useEffect(() => {
    document.title = "Mooring";
  }, []);
  return (
    <section aria-label="Start" className="m-auto flex max-w-md flex-col items-center gap-4 p-6 text-center">
      <img src="/icon.svg" alt="" className="size-12" />
      <h1 className="text-xl font-semibold">{isEmpty ? "Begin your first session" : "What is to be done?"}</h1>
      <p className="text-soft">
        A session is one conversation with one agent in one directory. It goes on when you close this page: its turns
        are stored, and its questions wait for you.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {preset === null ? (
          <Button tone="accent" onClick={() => go({ name: "agents" })}>
            Set up an agent
          </Button>
        ) : (
          <Button tone="accent" onClick={onNew}>
            New session
          </Button>
        )}
        {waiting > 0 ? (
          <Button className="text-warn" onClick={() => go({ name: "approvals" })}>
            {waiting === 1 ? "1 question waits for you" : `${waiting} questions wait for you`}
          </Button>
        ) : null}
      </div>
      {preset === null ? <p className="text-sm text-warn">No agent is there yet: add one first.</p> : null}
    </section>
  );
}
