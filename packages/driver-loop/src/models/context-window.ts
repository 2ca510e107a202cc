/** How many tokens a model takes, input and output together, as far as its name tells. */
const families: readonly (readonly [prefix: RegExp, tokens: number])[] = [
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o/, 128_000],
  [/^o[134]/, 200_000],
  [/^gemini-/, 1_048_576],
  [/^claude-/, 200_000],
];
const usual = 200_000;

/** The window of a model; `explicit` (driver option `contextWindow`) wins. A prefix like `openai/` is ignored. */
export function contextWindow(model: string, explicit: number | null): number {
  if (explicit !== null) return explicit;
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return families.find(([prefix]) => prefix.test(name))?.[1] ?? usual;
}
