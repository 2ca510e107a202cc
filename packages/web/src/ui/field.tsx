/** A labelled control: the label is always there, for eyes and for screen readers. */
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from "react";

const box =
  "block w-full min-h-10 rounded-md border border-line bg-card px-2.5 py-1.5 text-base text-text placeholder:text-soft sm:text-sm";

type About = { readonly label: string; readonly hint?: string };
type Control = { readonly id: string; readonly className: string; readonly "aria-describedby"?: string };

function Labelled({ label, hint, children }: About & { readonly children: (control: Control) => ReactNode }) {
  const id = useId();
  const described = hint === undefined ? {} : { "aria-describedby": `${id}-hint` };
  return (
    <div className="min-w-0 space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {children({ id, className: box, ...described })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, hint, ...rest }: About & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled label={label} {...(hint === undefined ? {} : { hint })}>
      {(control) => <input {...control} {...rest} />}
    </Labelled>
  );
}

type AreaProps = About & {
  readonly value: string;
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly onChange: (text: string) => void;
};

export function AreaField({ value, rows = 4, isCode = false, onChange, ...about }: AreaProps) {
  return (
    <Labelled {...about}>
      {({ className, ...control }) => (
        <textarea
          {...control}
          className={`${className} ${isCode ? "font-mono" : ""}`}
          spellCheck={!isCode}
          rows={rows}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}

export function SelectField({
  label,
  hint,
  children,
  ...rest
}: About & { readonly children: ReactNode } & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelled label={label} {...(hint === undefined ? {} : { hint })}>
      {(control) => (
        <select {...control} {...rest}>
          {children}
        </select>
      )}
    </Labelled>
  );
}
