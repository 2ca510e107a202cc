/** What the page reads of the API, by the names of the host. Types only. */
import type { HostEvent } from "@mooring/host";

export type {
  AgentRow,
  Directories,
  DriverInfo,
  HostEvent,
  NewAgent,
  SessionView,
  TurnReport,
  UsageTotal,
  UsageView,
} from "@mooring/host";
export type SessionListRow = Extract<HostEvent, { readonly type: "snapshot" }>["sessions"][number];
