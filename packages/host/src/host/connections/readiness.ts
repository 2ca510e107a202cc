/** What a driver says of itself, and that it could not say anything: a driver that breaks is one that is not ready. */
import type { AgentSessionRuntimeDriver, DriverReadiness } from "../../ports/driver.ts";
import { messageOf } from "../../protocol/errors.ts";

type Asked = Parameters<AgentSessionRuntimeDriver["doctor"]>[0];

export async function readinessOf(driver: AgentSessionRuntimeDriver, asked: Asked): Promise<DriverReadiness> {
  try {
    return await driver.doctor(asked);
  } catch (cause) {
    const problem = `The driver cannot say whether it is ready: ${messageOf(cause)}`;
    return { found: false, version: null, credentials: "ok", problem, fix: null };
  }
}
