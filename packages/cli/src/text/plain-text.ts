/**
 * Text from a model, a tool or a stored row on its way to a terminal. A security matter: a stored escape sequence could
 * move the cursor, rewrite what a person approves, or set the clipboard. Invariant: what leaves here has no control
 * character but newline and tab, and nothing that reverses the direction of text.
 */

/** Every control character except newline and tab, and the controls of text direction. */
const unsafe = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;
const whiteSpace = /\s+/g;

export const plainText = (text: string): string => text.replace(unsafe, "");

/** One line of at most `max` characters; what is cut ends in `…`. */
export function oneLine(text: string, max: number): string {
  // A line of many megabytes is not worth looking at whole.
  const line = plainText(text.slice(0, max * 8).replace(whiteSpace, " ")).trim();
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join("")}…`;
}

/** As `plainText`, but what is unsafe is shown as an escape: a person must see what will run. */
export const visibleText = (text: string): string =>
  text.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** JSON of one line, or indented. What is unsafe on a terminal is escaped, which changes nothing for its reader. */
export const jsonText = (value: unknown, indent = 0): string =>
  escapedJson(JSON.stringify(value, null, indent) ?? "null");

/** JSON that is text already, as `jsonText`. */
export const escapedJson = (json: string): string =>
  json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
