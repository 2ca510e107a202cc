/** One session: its conversation, what waits, what is asked, and the place to say something. */
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessageNotSentError,
  useExternalStoreRuntime,
} from "@assistant-ui/react";
import type { Part } from "@mooring/host/protocol";
import { useMemo } from "react";
import { api } from "../api/api.ts";
import { useSession } from "../session/use-session.ts";
import { isBusy, type SessionView } from "../session/view.ts";
import { sayFailure } from "../ui/notices.tsx";
import { Announcer } from "./announcer.tsx";
import { attachments } from "./attachments.ts";
import { Composer } from "./composer.tsx";
import { convertMessage } from "./convert-message.ts";
import { partsOf } from "./parts-of.ts";
import { QueuePanel } from "./queue-panel.tsx";
import { SessionHeader } from "./session-header.tsx";
import { Thread } from "./thread.tsx";
import { ConversationContext } from "./use-conversation.ts";

export function Conversation({ id }: { readonly id: string }) {
  const { view, connection, earlier } = useSession(id);
  const runtime = useExternalStoreRuntime({
    messages: view.messages,
    convertMessage,
    isRunning: isBusy(view),
    isLoading: connection === "opening",
    onNew: async (message) => {
      const { delivery } = message.runConfig?.custom ?? {};
      const parts = partsOf(message);
      const asked = delivery === "steer" || delivery === "queue" ? ({ parts, delivery } as const) : { parts };
      await api.submit(id, asked).catch((cause: unknown) => {
        sayFailure(cause);
        throw new MessageNotSentError(); // what was written goes back to where it was written
      });
      await nameOnce(id, view, parts).catch(sayFailure);
    },
    adapters: { attachments },
  });
  const stop = (): void => {
    if (view.turn) api.stop(id, view.turn.id).catch(sayFailure);
  };
  const conversation = useMemo(() => ({ id, view }), [id, view]);
  return (
    <ConversationContext.Provider value={conversation}>
      <AssistantRuntimeProvider runtime={runtime}>
        <ComposerPrimitive.AttachmentDropzone asChild>
          <section aria-label="Conversation" className="group/drop relative flex min-h-0 flex-1 flex-col">
            <SessionHeader id={id} view={view} connection={connection} />
            <Thread view={view} earlier={earlier} />
            <div className="mx-auto w-full max-w-3xl px-3 pb-3">
              <QueuePanel id={id} view={view} />
              <Composer turn={view.turn?.status ?? null} onStop={stop} />
            </div>
            <p className="pointer-events-none absolute inset-2 z-30 hidden items-center justify-center rounded-xl border-2 border-dashed border-accent bg-page/85 text-lg font-semibold text-accent group-data-[dragging=true]/drop:flex">
              Drop the files to attach them
            </p>
            <Announcer view={view} />
          </section>
        </ComposerPrimitive.AttachmentDropzone>
      </AssistantRuntimeProvider>
    </ConversationContext.Provider>
  );
}

/** Characters of a title made from what was said first. */
const mostTitle = 80;
/** What was said first names a session that has no name; it may be said before the page knows the session. */
async function nameOnce(id: string, view: SessionView, parts: readonly Part[]): Promise<void> {
  const { title } = view.session ?? (await api.session(id));
  if (title === null) await api.rename(id, titleFrom(parts));
}
function titleFrom(parts: readonly Part[]): string {
  const said = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  const line = said.replace(/\s+/g, " ").trim();
  return line === "" ? "File" : line.length > mostTitle ? `${line.slice(0, mostTitle - 1)}…` : line;
}
