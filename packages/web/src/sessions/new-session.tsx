/** A new session: its agent, and where it works. */
import { type FormEvent, useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { useLoaded } from "../api/use-loaded.ts";
import { go } from "../app/router.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { sayFailure } from "../ui/notices.tsx";

export function NewSession({ onClose }: { readonly onClose: () => void }) {
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
      onClose();
      go({ name: "session", id: session.id });
    }, sayFailure);
  };
  return (
    <Dialog title="New session" onClose={onClose}>
      <form className="space-y-4" onSubmit={make}>
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
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="accent" type="submit">
            Create
          </Button>
        </div>
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
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">Works in</legend>
      <label className="flex items-center gap-2 text-sm">
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
        <div className="flex items-center gap-2 border-b border-line px-2 py-1 text-xs text-soft">
          <button type="button" onClick={() => setAt(null)} className="underline" disabled={at === null}>
            Allowed directories
          </button>
          {at === null ? null : <span className="truncate">{at}</span>}
        </div>
        <ul className="max-h-44 overflow-y-auto p-1 text-sm">
          {(found?.directories ?? []).map(({ name, path }) => (
            <li key={path} className="flex items-center gap-1">
              <button
                type="button"
                className="flex-1 truncate rounded px-2 py-1 text-left hover:bg-raised"
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
