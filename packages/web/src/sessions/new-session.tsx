/** A new session: its agent, and where it works. */
import { type FormEvent, useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { useLoaded } from "../api/use-loaded.ts";
import { go } from "../app/router.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogEnd } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { sayFailure } from "../ui/notices.tsx";

export function NewSession({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: () => void }) {
  const agents = useLoaded(() => Promise.all([api.agents(), api.defaultAgent()]));
  const [agent, setAgent] = useState("");
  const [workspace, setWorkspace] = useState<string | null>(null);
  const [title, setTitle] = useState("");
  useEffect(() => {
    const preset = agents?.[1]?.name;
    if (preset !== undefined) setAgent((now) => (now === "" ? preset : now));
  }, [agents]);
  const make = (event: FormEvent): void => {
    event.preventDefault();
    const given = { ...(agent === "" ? {} : { agent }), ...(workspace === null ? {} : { workspace }) };
    api.create({ ...given, ...(title.trim() === "" ? {} : { title: title.trim() }) }).then((session) => {
      onMade();
      go({ name: "session", id: session.id });
    }, sayFailure);
  };
  return (
    <Dialog title="New session" onClose={onClose}>
      <form className="space-y-4 p-4" onSubmit={make}>
        <SelectField label="Agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
          {(agents?.[0] ?? []).map(({ id, name, model }) => (
            <option key={id} value={name}>
              {name} {model === null ? "(no model)" : `· ${model}`}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Title (optional)"
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.target.value)}
        />
        <WorkspacePicker chosen={workspace} onChoose={setWorkspace} />
        <DialogEnd submit="Create" onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** Null: a directory of its own, which the host makes. */
function WorkspacePicker({
  chosen,
  onChoose,
}: {
  readonly chosen: string | null;
  readonly onChoose: (path: string | null) => void;
}) {
  const [at, setAt] = useState<string | null>(null);
  const found = useLoaded(() => api.directories(at), at);
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="text-sm font-medium">Works in</legend>
      <label className="flex min-h-9 items-center gap-2 text-sm">
        <input type="radio" name="workspace" checked={chosen === null} onChange={() => onChoose(null)} />A new directory
        of its own
      </label>
      {chosen === null ? null : (
        <label className="flex items-center gap-2 text-sm">
          <input type="radio" name="workspace" checked readOnly />
          <code className="break-all">{chosen}</code>
        </label>
      )}
      <div className="rounded-md border border-line">
        <div className="flex min-h-9 items-center gap-2 border-b border-line px-3 text-xs text-soft">
          {at === null ? (
            "Or one of the allowed directories"
          ) : (
            <>
              <button type="button" onClick={() => setAt(null)} className="shrink-0 underline">
                Allowed directories
              </button>
              <span className="min-w-0 truncate" title={at}>
                {at}
              </span>
            </>
          )}
        </div>
        <ul className="max-h-44 overflow-y-auto p-1 text-sm">
          {(found?.directories ?? []).map(({ name, path }) => (
            <li key={path} className="flex items-center gap-1 py-0.5">
              <button
                type="button"
                className="min-h-9 min-w-0 flex-1 truncate rounded px-2 text-left hover:bg-raised"
                title={path}
                onClick={() => setAt(path)}
              >
                {at === null ? path : name}
              </button>
              <Button aria-label={`Choose ${path}`} onClick={() => onChoose(path)}>
                Choose
              </Button>
            </li>
          ))}
          {found?.directories.length === 0 ? <li className="px-2 py-1 text-soft">No directories in it.</li> : null}
        </ul>
      </div>
    </fieldset>
  );
}
