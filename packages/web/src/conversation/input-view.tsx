/** What goes into a tool call, in the form people read. */
import type { ReactNode } from "react";
import type { DiffLine, Readable } from "./readable.ts";

/** Text as it is. It scrolls when it is long, with the keyboard too; `label`: what it is, for those who do not see it. */
export function Block({ label, tone = "", children }: BlockProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
      tabIndex={0}
      className={`max-h-96 overflow-auto rounded bg-raised p-2 font-mono text-xs ${tone}`}
    >
      <pre className="whitespace-pre-wrap break-words">{children}</pre>
    </section>
  );
}
type BlockProps = { readonly label: string; readonly tone?: string; readonly children: ReactNode };

export function InputView({ readable }: { readonly readable: Readable }) {
  switch (readable.kind) {
    case "terminal":
      return (
        <Block label="Command">
          <span className="select-none text-soft">$ </span>
          {readable.command}
        </Block>
      );
    case "diff":
      return (
        <figure>
          <figcaption className="mb-1 break-all font-mono text-xs text-soft">{readable.path}</figcaption>
          <Block label="Change">
            {readable.lines.map((line, place) => (
              <DiffRow key={lineKey(line, place)} line={line} />
            ))}
          </Block>
        </figure>
      );
    case "file":
      return (
        <figure>
          <figcaption className="mb-1 break-all font-mono text-xs text-soft">{readable.path}</figcaption>
          <Block label="Content">{readable.text}</Block>
        </figure>
      );
    case "values":
      return readable.text === "" || readable.text === "{}" ? null : <Block label="Input">{readable.text}</Block>;
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
