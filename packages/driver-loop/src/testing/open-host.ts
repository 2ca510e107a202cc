/** Test hosts that close themselves after each test, with the scripted model unless a test brings its own. */
import { scriptedModel } from "@mooring/scripted-model";
import { afterEach } from "vitest";
import { TestHost, type TestSetup } from "./test-host.ts";

const opened: TestHost[] = [];
afterEach(async () => {
  for (const host of opened.splice(0)) await host.dispose();
});

export async function openHost(setup: TestSetup = {}): Promise<TestHost> {
  const host = await TestHost.open({ models: { scripted: scriptedModel }, ...setup });
  opened.push(host);
  return host;
}
