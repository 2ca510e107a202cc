/** What the parts of one connection share. */

import type { AgentRuntimeEvent, ConnectInput, DriverPorts, EventQueue } from "@mooring/host/driver";
import type { Effort, ModelSettings } from "../models/model-settings.ts";
import type { ProviderModel } from "../models/retrying-model.ts";
import type { ContextMeter } from "./context-meter.ts";

export type SessionContext = {
  readonly input: ConnectInput;
  readonly ports: DriverPorts;
  readonly events: EventQueue<AgentRuntimeEvent>;
  readonly meter: ContextMeter;
  /** Where long outputs of the session are kept. */
  readonly outputs: string;
  /** As of now: a tool disabled while a turn runs is not run again. */
  isDisabled(toolName: string): boolean;
};

/** What a turn is begun with; a later change is for the next one. */
export type TurnConfig = {
  readonly model: ProviderModel;
  readonly modelName: string;
  readonly effort: Effort;
  readonly instructions: string;
  readonly settings: ModelSettings;
};
