/** A question that blocks a tool call: what would run, why it is asked, and the person's word on it. */
import type { ApprovalRow } from "@mooring/host/protocol";
import { useState } from "react";
import { api } from "../api/api.ts";
import { InputView } from "../conversation/input-view.tsx";
import { plain, readableInput } from "../conversation/readable.ts";
import { Button } from "../ui/button.tsx";
import { AreaField, TextField } from "../ui/field.tsx";
import { say, sayFailure } from "../ui/notices.tsx";

type Scope = "once" | "session" | "agent" | "host";
type Doing = "nothing" | "editing" | "denying";

export function ApprovalCard({ approval }: { readonly approval: ApprovalRow }) {
  const [doing, setDoing] = useState<Doing>("nothing");
  const [sent, setSent] = useState(false);
  const answer = (given: Parameters<typeof api.answer>[1]): void => {
    setSent(true);
    api.answer(approval.id, given).catch((cause: unknown) => {
      setSent(false);
      sayFailure(cause);
    });
  };
  const allow = (scope: Scope): void => answer({ decision: "allow", scope });
  const lasts = approval.asked?.rule ?? null;
  return (
    <section
      aria-label={`${approval.toolName} asks to run`}
      className="space-y-2.5 border-t border-line bg-warn-bg p-3 text-sm [&_pre]:bg-card"
    >
      <p>
        <strong>{approval.toolName}</strong> asks to run.{" "}
        {approval.asked ? <span className="text-soft">{approval.asked.because}</span> : null}
      </p>
      <InputView readable={readableInput(approval.input)} />
      <div className="flex flex-wrap gap-2">
        <Button tone="accent" className="max-sm:grow" disabled={sent} onClick={() => allow("once")}>
          Allow once
        </Button>
        <Button
          tone="bad"
          className="max-sm:grow"
          aria-expanded={doing === "denying"}
          disabled={sent}
          onClick={() => setDoing(doing === "denying" ? "nothing" : "denying")}
        >
          Deny…
        </Button>
        {lasts === null ? null : (
          <>
            <Button className="max-sm:grow" disabled={sent} onClick={() => allow("session")}>
              Allow for this session
            </Button>
            <Button className="max-sm:grow" disabled={sent} onClick={() => allow("agent")}>
              Always allow for this agent
            </Button>
          </>
        )}
        <Button
          className="max-sm:grow"
          aria-expanded={doing === "editing"}
          disabled={sent}
          onClick={() => setDoing(doing === "editing" ? "nothing" : "editing")}
        >
          Edit
        </Button>
      </div>
      {doing === "editing" ? (
        <EditedInput approval={approval} onAllow={(input) => answer({ decision: "allow", input })} />
      ) : null}
      {doing === "denying" ? <Denial onDeny={(reason) => answer({ decision: "deny", ...reason })} /> : null}
    </section>
  );
}

function EditedInput({
  approval,
  onAllow,
}: {
  readonly approval: ApprovalRow;
  readonly onAllow: (input: unknown) => void;
}) {
  const [text, setText] = useState(plain(approval.input));
  const send = (): void => {
    try {
      onAllow(JSON.parse(text));
    } catch (cause) {
      say("bad", `This is not JSON: ${cause instanceof Error ? cause.message : ""}`);
    }
  };
  return (
    <div className="space-y-2">
      <AreaField label="What runs instead (JSON)" rows={6} isCode value={text} onChange={setText} />
      <Button tone="accent" onClick={send}>
        Allow as edited
      </Button>
    </div>
  );
}

function Denial({ onDeny }: { readonly onDeny: (reason: { readonly reason?: string }) => void }) {
  const [reason, setReason] = useState("");
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim() === "" ? {} : { reason: reason.trim() });
      }}
    >
      <div className="min-w-48 flex-1">
        <TextField
          label="Reason (the agent reads it)"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      <Button tone="bad" type="submit">
        Deny
      </Button>
    </form>
  );
}
