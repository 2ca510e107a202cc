/** What a tool call does and gave, in the form people read: a diff, a terminal, a file, or plain text. Pure. */
export type Readable =
  | { readonly kind: "terminal"; readonly command: string }
  | { readonly kind: "diff"; readonly path: string; readonly lines: readonly DiffLine[] }
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "values"; readonly text: string };
export type DiffLine = { readonly sign: "+" | "-" | " "; readonly text: string };

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const textIn = (fields: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | null => {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return value;
  }
  return null;
};

/** By the shape of its input, not by its name: agents name their tools as they like. */
export function readableInput(input: unknown): Readable {
  const fields = record(input);
  const command = textIn(fields, "command", "cmd");
  if (command !== null) return { kind: "terminal", command };
  const path = textIn(fields, "path", "file_path", "filePath");
  const [before, after] = [
    textIn(fields, "old_string", "oldText", "old"),
    textIn(fields, "new_string", "newText", "new"),
  ];
  if (path !== null && before !== null && after !== null)
    return { kind: "diff", path, lines: diffLines(before, after) };
  const content = textIn(fields, "content", "contents", "text");
  if (path !== null && content !== null) return { kind: "file", path, text: content };
  return { kind: "values", text: plain(input) };
}
/** One line that says what the call is about. */
export function summaryOf(input: unknown): string {
  const fields = record(input);
  const said = textIn(
    fields,
    "command",
    "cmd",
    "path",
    "file_path",
    "filePath",
    "pattern",
    "query",
    "url",
    "description",
  );
  const line = (said ?? (Object.keys(fields).length === 0 ? "" : plain(input))).split("\n", 1)[0] ?? "";
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
export const plain = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");

/** Lines compared at most on one side; longer texts are shown as all old, then all new. */
const mostCompared = 400;

/** The common lines at both ends stay; between them, the longest common subsequence. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: " ", text }));
  const middle = changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))];
}
function changed(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const all = (sign: "+" | "-", lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign, text }));
  if (a.length > mostCompared || b.length > mostCompared) return [...all("-", a), ...all("+", b)];
  const common = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ sign: " ", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      lines.push({ sign: "-", text: a[i] ?? "" });
      i += 1;
    } else {
      lines.push({ sign: "+", text: b[j] ?? "" });
      j += 1;
    }
  }
  return [...lines, ...all("-", a.slice(i)), ...all("+", b.slice(j))];
}
/** `[i][j]`: how many lines the rests from `i` and from `j` have in common. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [here, below] = [rows[i], rows[i + 1]];
      if (here && below) here[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, here[j + 1] ?? 0);
    }
  return rows;
}
