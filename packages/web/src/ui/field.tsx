/** A labelled control: the label is always there, for eyes and for screen readers. */
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from "react";

const box = "w-full rounded-md border border-line bg-card px-2.5 py-1.5 text-sm text-text placeholder:text-soft";

type Labelled = { readonly label: string; readonly hint?: string };

export function TextField({ label, hint, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <input id={id} className={box} {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })} {...rest} />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

export function AreaField({
  label,
  ...rest
}: Labelled & { value: string; rows?: number; onChange: (text: string) => void }) {
  const id = useId();
  const { value, rows = 4, onChange } = rest;
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <textarea id={id} className={box} rows={rows} value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

export function SelectField({
  label,
  children,
  ...rest
}: Labelled & { readonly children: ReactNode } & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <select id={id} className={box} {...rest}>
        {children}
      </select>
    </div>
  );
}
