/** What goes into a tool call, in the form people read. */
import type { DiffLine, Readable } from "./readable.ts";

export const block = "max-h-96 overflow-auto whitespace-pre-wrap break-words rounded bg-raised p-2 font-mono text-xs";

export function InputView({ readable }: { readonly readable: Readable }) {
  switch (readable.kind) {
    case "terminal":
      return (
        <pre className={block}>
          <span className="select-none text-soft">$ </span>
          {readable.command}
        </pre>
      );
    case "diff":
      return (
        <figure>
          <figcaption className="mb-1 break-all font-mono text-xs text-soft">{readable.path}</figcaption>
          <pre className={block}>
            {readable.lines.map((line, place) => (
              <DiffRow key={lineKey(line, place)} line={line} />
            ))}
          </pre>
        </figure>
      );
    case "file":
      return (
        <figure>
          <figcaption className="mb-1 break-all font-mono text-xs text-soft">{readable.path}</figcaption>
          <pre className={block}>{readable.text}</pre>
        </figure>
      );
    case "values":
      return readable.text === "" || readable.text === "{}" ? null : <pre className={block}>{readable.text}</pre>;
  }
}
const lineKey = ({ sign }: DiffLine, place: number): string => `${sign}${place}`;
function DiffRow({ line: { sign, text } }: { readonly line: DiffLine }) {
  return (
    <span className={`block ${diffLooks[sign]}`}>
      {sign} {text}
    </span>
  );
}
const diffLooks = { "+": "bg-good-bg text-good", "-": "bg-bad-bg text-bad", " ": "text-soft" } as const;
