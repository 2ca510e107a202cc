/** Work that whoever awaits it must live to see: the host's own timers keep no process alive. */

/** Milliseconds; longer than anything lasts, and within what a Node timer takes. */
const forEver = 2 ** 30;

/** Settles as `work` does; the process does not end before it by itself. */
export async function keepAlive<T>(work: () => Promise<T>): Promise<T> {
  const handle = setInterval(() => {}, forEver);
  try {
    return await work();
  } finally {
    clearInterval(handle);
  }
}
