/** What tests of an embedder or a driver import: `@mooring/host/testing`. */
export type { ContractAdapter, KnownException, Place, Stage, Wire } from "./contract/adapter.ts";
export { ContractBroken, type Finding } from "./contract/broken.ts";
export { hastyClock } from "./contract/hasty-clock.ts";
export type { Link, Sent, Steered, Terminal } from "./contract/link.ts";
export { type RequirementId, requirements } from "./contract/requirements.ts";
export type { Act, ScenarioName, Scenarios, ToolAct } from "./contract/scenarios.ts";
export { ContractScene } from "./contract/scene.ts";
export { ShellActs } from "./contract/shell-acts.ts";
export { type ContractCase, type ContractResults, type ContractSuite, contractSuite } from "./contract/suite.ts";
export { type Fault, passLine, type WireEnd, WireTap } from "./contract/wire/wire-tap.ts";
export { countingIds } from "./counting-ids.ts";
export { type FakeBehaviour, FakeConnection } from "./fake-connection.ts";
export { createFakeDriver, type FakeDriver, type FakeDriverOptions, fakeCapabilities } from "./fake-driver.ts";
export { type HeldPipe, NamedPipe } from "./named-pipe.ts";
export { PushStream } from "./push-stream.ts";
export { Records } from "./records.ts";
export { VirtualClock } from "./virtual-clock.ts";
