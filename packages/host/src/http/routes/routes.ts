/** Every route there is over the session host, as one list. */
import { agentRoutes, ruleRoutes } from "./agent-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { approvalRoutes, fileRoutes, hostRoutes } from "./host-routes.ts";
import type { HostCall, Route } from "./route.ts";
import { sessionRoutes } from "./session-routes.ts";
import { inputRoutes, turnRoutes } from "./turn-routes.ts";

const table = [
  ...agentRoutes,
  ...ruleRoutes,
  ...sessionRoutes,
  ...inputRoutes,
  ...turnRoutes,
  ...eventRoutes,
  ...approvalRoutes,
  ...fileRoutes,
  ...hostRoutes,
] as const;
export const routes: readonly Route[] = table;

type Reached = (typeof table)[number]["calls"][number];
/** What a host can be asked and no route asks, with the reason. The compiler holds it complete. */
export const unreached: { readonly [Call in Exclude<HostCall, Reached>]: string } = {
  bytes: "The same as `writeBytes`.",
  events: "The same as `writeBytes`, not as bytes.",
  capabilities: "For a session runtime inside a program, which asks before it makes a session.",
  "inputs.extend": "For a session runtime inside a program, whose follow-ups may come together; a client edits.",
  chat: "What useChat's routes look up: they are apart, under /api/chat.",
  cursor: "A snapshot and every event carry it.",
  "tree.append": "For a session runtime inside a program, whose extensions keep entries of their own.",
  "tree.move": "For a session runtime inside a program; a client goes back by the `branch` of an input.",
  shutdown: "Ending the server is for who started it.",
};
