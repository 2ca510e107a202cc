/** Takes secrets out of text that people or logs will see. Errs towards hiding too much. */

const hidden = "[redacted]";
/** Shorter values would blank ordinary words. */
const shortestSecret = 6;
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH(?!OR)/i;
const secretShapes = [/\bsk-[\w-]{6,}/g, /\b(?<=Bearer\s+)[\w.~+/=-]{6,}/gi];

/** Values of an environment whose names look secret, longest first: what `redact` takes out verbatim. */
export function secretsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.entries(env)
    .filter(([name, value]) => secretName.test(name) && value.length >= shortestSecret)
    .map(([, value]) => value);
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

/** Replaces every given secret, every `sk-...` key and what follows `Bearer` by `[redacted]`. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, hidden);
  for (const shape of secretShapes) clean = clean.replace(shape, hidden);
  return clean;
}
