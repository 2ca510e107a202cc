/** Buttons of one look. `tone`: what pressing it means. */
import type { ButtonHTMLAttributes } from "react";

type Tone = "plain" | "accent" | "quiet" | "bad";
const looks: { readonly [T in Tone]: string } = {
  plain: "border border-line bg-card text-text hover:bg-raised",
  accent: "border border-transparent bg-accent text-accent-text hover:brightness-110",
  quiet: "text-soft hover:bg-raised hover:text-text",
  bad: "border border-line bg-card text-bad hover:bg-bad-bg",
};

export function Button({
  tone = "plain",
  className = "",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly tone?: Tone }) {
  const base =
    "inline-flex min-h-9 shrink-0 pointer-coarse:min-h-11 items-center justify-center gap-1.5 rounded-md px-3 py-1.5 text-sm font-medium";
  return <button type="button" className={`${base} ${looks[tone]} ${className}`} {...rest} />;
}
