/** Whether a server of this data directory runs. Nothing of it is believed that was not asked for just now. */
import { limits } from "../limits.ts";
import { readServerFile, type ServerRecord } from "./server-file.ts";

/** Null: none does, or it does not answer. */
export async function findServer(dataDir: string): Promise<ServerRecord | null> {
  const record = readServerFile(dataDir);
  return record !== null && isAlive(record.pid) && (await answers(record.url)) ? record : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"; // it is another user's
  }
}

/** No token is sent: whoever has the port now may not be ours. */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(limits.healthMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
