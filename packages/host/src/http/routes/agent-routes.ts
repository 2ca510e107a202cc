/** Agents and rules. */
import { z } from "zod";
import { agent, agentList, agentPatch, defaultAgent, newAgent, newDefaultAgent } from "../schemas/agents.ts";
import { newRule, rule, ruleList } from "../schemas/permission.ts";
import { done, json, route } from "./route.ts";

export const agentRoutes = [
  route({
    name: "listAgents",
    method: "GET",
    path: "/v1/agents",
    calls: ["agents.list"],
    summary: "All agents, oldest first",
    replies: { 200: agentList },
    run: async (_, { host }) => json({ items: await host.agents.list() }),
  }),
  route({
    name: "addAgent",
    method: "POST",
    path: "/v1/agents",
    calls: ["agents.add"],
    summary: "Adds an agent",
    body: newAgent,
    replies: { 201: agent },
    run: async ({ body }, { host }) => json(await host.agents.add(body), 201),
  }),
  route({
    name: "getAgent",
    method: "GET",
    path: "/v1/agents/:agent",
    calls: ["agents.get"],
    summary: "One agent",
    replies: { 200: agent },
    run: async ({ params }, { host }) => json(await host.agents.get(params.agent)),
  }),
  route({
    name: "changeAgent",
    method: "PATCH",
    path: "/v1/agents/:agent",
    calls: ["agents.update"],
    summary: "Changes an agent; warm connections follow",
    body: agentPatch,
    replies: { 200: agent },
    run: async ({ params, body }, { host }) => json(await host.agents.update(params.agent, body)),
  }),
  route({
    name: "removeAgent",
    method: "DELETE",
    path: "/v1/agents/:agent",
    calls: ["agents.remove"],
    summary: "Removes an agent; its sessions stay",
    replies: { 204: null },
    run: async ({ params }, { host }) => {
      await host.agents.remove(params.agent);
      return done;
    },
  }),
  route({
    name: "getDefaultAgent",
    method: "GET",
    path: "/v1/default-agent",
    calls: ["agents.default"],
    summary: "The agent a session gets that names none",
    replies: { 200: defaultAgent },
    run: async (_, { host }) => json({ agent: await host.agents.default() }),
  }),
  route({
    name: "setDefaultAgent",
    method: "PUT",
    path: "/v1/default-agent",
    calls: ["agents.setDefault"],
    summary: "Sets the agent a session gets that names none",
    body: newDefaultAgent,
    replies: { 204: null },
    run: async ({ body }, { host }) => {
      await host.agents.setDefault(body.agent);
      return done;
    },
  }),
] as const;

const ruleQuery = z.object({
  session: z.string().exactOptional().meta({ description: "All that hold in this session." }),
  agent: z.string().exactOptional().meta({ description: "Those of this agent alone." }),
});
export const ruleRoutes = [
  route({
    name: "listRules",
    method: "GET",
    path: "/v1/rules",
    calls: ["rules.list"],
    summary: "Stored rules about tools, oldest first",
    query: ruleQuery,
    replies: { 200: ruleList },
    run: async ({ query: { session, agent: named } }, { host }) => {
      const wanted = {
        ...(session === undefined ? {} : { sessionId: session }),
        ...(named === undefined ? {} : { agent: named }),
      };
      return json({ items: await host.rules.list(wanted) });
    },
  }),
  route({
    name: "addRule",
    method: "POST",
    path: "/v1/rules",
    calls: ["rules.add"],
    summary: "Adds a rule; one that is there already is given back",
    body: newRule,
    replies: { 201: rule },
    run: async ({ body, by }, { host }) => json(await host.rules.add({ ...body, by }), 201),
  }),
  route({
    name: "removeRule",
    method: "DELETE",
    path: "/v1/rules/:rule",
    calls: ["rules.remove"],
    summary: "Removes a rule",
    replies: { 204: null },
    run: async ({ params }, { host }) => {
      await host.rules.remove(params.rule);
      return done;
    },
  }),
] as const;
