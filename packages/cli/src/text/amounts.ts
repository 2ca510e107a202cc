/** Durations, sizes, counts and moments as people read them. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `ms` in milliseconds: `340 ms`, `2.3 s`, `3 min 20 s`. */
export function durationText(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${(ms / second).toFixed(1)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min ${Math.floor((ms % minute) / second)} s`;
  return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`;
}

/** `340 B`, `2.1 kB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 line`, `1,234 lines`. */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

/** How long ago `at` was (both in ms since the epoch): `now`, `5 min ago`, `3 h ago`, `2 days ago`, then the date. */
export function agoText(at: number, now: number): string {
  const ago = now - at;
  if (ago < minute) return "now";
  if (ago < hour) return `${Math.floor(ago / minute)} min ago`;
  if (ago < day) return `${Math.floor(ago / hour)} h ago`;
  return ago < 30 * day ? `${countText(Math.floor(ago / day), "day")} ago` : new Date(at).toISOString().slice(0, 10);
}
