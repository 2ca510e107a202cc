/** How text is set off on a terminal. Without colours every style is the identity: then no escape code is ever written. */
import { styleText } from "node:util";

type Style = (text: string) => string;
export type Look = {
  readonly dim: Style;
  readonly bold: Style;
  readonly red: Style;
  readonly yellow: Style;
  readonly green: Style;
  readonly cyan: Style;
};

const same: Style = (text) => text;
export const plainLook: Look = { dim: same, bold: same, red: same, yellow: same, green: same, cyan: same };

// The stream was asked already, once, by `lookFor`.
const styled =
  (format: keyof Look): Style =>
  (text) =>
    text === "" ? "" : styleText(format, text, { validateStream: false });
export const colourLook: Look = {
  dim: styled("dim"),
  bold: styled("bold"),
  red: styled("red"),
  yellow: styled("yellow"),
  green: styled("green"),
  cyan: styled("cyan"),
};

/** Colours on a terminal only, and never when `NO_COLOR` is set (to anything but nothing). */
export function lookFor(stream: { readonly isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): Look {
  const isPlain = !stream.isTTY || Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb";
  return isPlain ? plainLook : colourLook;
}
