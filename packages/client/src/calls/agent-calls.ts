/** Agents and rules. */
import { type Api, dataOf, done, type Given, given, type Schemas, sent } from "./api.ts";

export function agentCalls(api: Api) {
  const at = (agent: string) => ({ params: { path: { agent } } });
  return {
    /** Oldest first. */
    list: async () => (await dataOf(api.GET("/v1/agents"))).items,
    add: (agent: Given<Schemas["NewAgent"]>) =>
      dataOf(api.POST("/v1/agents", { body: sent<Schemas["NewAgent"]>(agent) })),
    get: (idOrName: string) => dataOf(api.GET("/v1/agents/{agent}", at(idOrName))),
    update: (idOrName: string, patch: Given<Schemas["AgentPatch"]>) =>
      dataOf(api.PATCH("/v1/agents/{agent}", { ...at(idOrName), body: sent<Schemas["AgentPatch"]>(patch) })),
    remove: (idOrName: string) => done(api.DELETE("/v1/agents/{agent}", at(idOrName))),
    /** The agent a session gets that names none. */
    default: async () => (await dataOf(api.GET("/v1/default-agent"))).agent,
    setDefault: (idOrName: string) => done(api.PUT("/v1/default-agent", { body: { agent: idOrName } })),
  };
}

export function ruleCalls(api: Api) {
  return {
    /** Oldest first. `sessionId`: all that hold in that session; `agent`: that agent's own. */
    list: async ({ sessionId: session, agent }: { readonly sessionId?: string; readonly agent?: string } = {}) =>
      (await dataOf(api.GET("/v1/rules", { params: { query: given({ session, agent }) } }))).items,
    add: (rule: Schemas["NewRule"]) => dataOf(api.POST("/v1/rules", { body: rule })),
    remove: (id: string) => done(api.DELETE("/v1/rules/{rule}", { params: { path: { rule: id } } })),
  };
}
