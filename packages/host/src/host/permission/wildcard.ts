/**
 * The small pattern language of rules: `*` for anything, `\` before a star or backslash for itself, and in paths `**` for
 * any segments. Matching is linear in practice and bounded by length times length: no regular expression is built from
 * what people or agents write.
 */

/** A piece of a pattern: a literal character, or a star. */
const star = Symbol("star");
type Token = string | typeof star;

/** `wide`: letters in any case, characters that look or read the same: for rules that restrict. */
export type Width = "exact" | "wide";

export function matchesText(pattern: string, text: string, width: Width): boolean {
  return matchTokens(tokensOf(pattern, width), [...widened(text, width)], isSame);
}
/** For many patterns on one text: its characters, from `wideCharacters`. */
export const matchesWide = (pattern: string, characters: readonly string[]): boolean =>
  matchTokens(tokensOf(pattern, "wide"), characters, isSame);
export const wideCharacters = (text: string): readonly string[] => [...widened(text, "wide")];
const isSame = (token: string, char: string): boolean => token === char;

/** Both with `/` between segments. `**` as a segment stands for any number of segments, also none. */
export function matchesPath(pattern: string, path: string, width: Width): boolean {
  const segments = splitPath(pattern).map((segment) => (segment === "**" ? star : segment));
  return matchTokens(segments, splitPath(path), (segment, name) => matchesText(segment, name, width));
}

/** The pattern that matches this text and no other. */
export const literalPattern = (text: string): string => text.replace(/[\\*]/g, "\\$&");
/** Null when there is a star in it. */
export function literalOf(pattern: string): string | null {
  const tokens = tokensOf(pattern, "exact");
  return tokens.some((token) => token === star) ? null : tokens.join("");
}
export const hasStar = (pattern: string): boolean => literalOf(pattern) === null;

/** As file systems and eyes confuse them: case, composed forms, marks that are not shown. */
function widened(text: string, width: Width): string {
  if (width === "exact") return text;
  return text
    .normalize("NFKC")
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
    .toLowerCase();
}

function tokensOf(pattern: string, width: Width): Token[] {
  const tokens: Token[] = [];
  const chars = [...pattern];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    const next = chars[at + 1];
    if (char === "\\" && (next === "*" || next === "\\")) {
      tokens.push(next);
      at += 1;
    } else if (char === "*") {
      if (tokens.at(-1) !== star) tokens.push(star);
    } else tokens.push(...widened(char, width));
  }
  return tokens;
}

/** The last star takes one more each time what follows it does not fit. */
function matchTokens<Piece, Item>(
  pieces: readonly (Piece | typeof star)[],
  items: readonly Item[],
  same: (piece: Piece, item: Item) => boolean,
): boolean {
  let piece = 0;
  let back: { readonly piece: number; item: number } | null = null;
  for (let item = 0; item < items.length; ) {
    const wanted = pieces[piece];
    const found = items[item];
    if (wanted === star) {
      piece += 1;
      back = { piece, item };
    } else if (wanted !== undefined && found !== undefined && same(wanted, found)) {
      piece += 1;
      item += 1;
    } else if (back) {
      back.item += 1;
      piece = back.piece;
      item = back.item;
    } else return false;
  }
  while (pieces[piece] === star) piece += 1;
  return piece === pieces.length;
}

/** At slashes that no backslash stands before; a slash at the end says nothing. */
const splitPath = (path: string): string[] => path.replace(/(?<=.)\/+$/, "").split("/");
