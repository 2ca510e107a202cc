/** Work that whoever awaits it must live to see: the host's own timers keep no process alive. */

/** Milliseconds; longer than anything lasts, and within what a Node timer takes. */
const forEver = 2 ** 30;

/** Keeps the process from ending by itself while something says so: a turn runs, and its program waits for nothing else. */
export class Awake {
  #handle: NodeJS.Timeout | null = null;

  set(on: boolean): void {
    if (on === (this.#handle !== null)) return;
    if (this.#handle !== null) clearInterval(this.#handle);
    this.#handle = on ? setInterval(() => {}, forEver) : null;
  }
}
/** Settles as `work` does; the process does not end before it by itself. */
export async function keepAlive<T>(work: () => Promise<T>): Promise<T> {
  const handle = setInterval(() => {}, forEver);
  try {
    return await work();
  } finally {
    clearInterval(handle);
  }
}
