/** Mooring's built-in agent: a model loop on the AI SDK with file and shell tools. */
export { type LoopDriverOptions, loopDriver } from "./loop-driver.ts";
export type { ModelFactories, ModelFactory } from "./models/providers.ts";
