/** Numbers and times as people read them. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
export function tokens(count: number): string {
  if (count < 1_000) return `${count}`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}
export const money = ({ currency, amount }: { readonly currency: string; readonly amount: number }): string =>
  `${amount < 0.01 && amount > 0 ? amount.toFixed(4) : amount.toFixed(2)} ${currency}`;
