/** What is said to a session, its queue, its turns and what they say. */
import { z } from "zod";
import type { Part } from "../../protocol/input.ts";
import { cancelled, input, inputList, inputPatch, newInput, receipt, release, stopOutcome } from "../schemas/inputs.ts";
import { messagePage, tree } from "../schemas/messages.ts";
import { compaction, resumeChoice } from "../schemas/sessions.ts";
import { idempotencyKey, pageLimit } from "./query-values.ts";
import { done, json, route } from "./route.ts";

type Patch = z.infer<typeof inputPatch>;
const partsOf = (patch: Exclude<Patch, { before: unknown }>): readonly Part[] =>
  "parts" in patch ? patch.parts : [{ type: "text", text: patch.text }];

export const inputRoutes = [
  route({
    name: "submitInput",
    method: "POST",
    path: "/v1/sessions/:session/inputs",
    calls: ["submit"],
    summary: "Says something to the session; stored when this answers",
    headers: { "idempotency-key": "The input's id when the body gives none: the same key and body is one input." },
    body: newInput,
    size: "input",
    replies: { 202: receipt },
    run: async (call, { host }) => {
      const id = call.body.id ?? idempotencyKey(call);
      const given = { ...call.body, ...(id === undefined ? {} : { id }), author: call.by };
      return json(await host.submit(call.params.session, given), 202);
    },
  }),
  route({
    name: "listInputs",
    method: "GET",
    path: "/v1/sessions/:session/inputs",
    calls: ["inputs.list"],
    summary: "Inputs that have not ended, the waiting ones in the order of the queue",
    replies: { 200: inputList },
    run: async ({ params }, { host }) => json({ items: await host.inputs(params.session).list() }),
  }),
  route({
    name: "getInput",
    method: "GET",
    path: "/v1/sessions/:session/inputs/:input",
    calls: ["inputs.get"],
    summary: "One input and its state",
    replies: { 200: input },
    run: async ({ params }, { host }) => json(await host.inputs(params.session).get(params.input)),
  }),
  route({
    name: "changeInput",
    method: "PATCH",
    path: "/v1/sessions/:session/inputs/:input",
    calls: ["inputs.edit", "inputs.move"],
    summary: "Changes what a waiting input says, or its place in the queue",
    body: inputPatch,
    size: "input",
    replies: { 200: input },
    run: async ({ params, body }, { host }) => {
      const inputs = host.inputs(params.session);
      if ("before" in body) await inputs.move(params.input, body.before);
      else await inputs.edit(params.input, partsOf(body));
      return json(await inputs.get(params.input));
    },
  }),
  route({
    name: "cancelInput",
    method: "DELETE",
    path: "/v1/sessions/:session/inputs/:input",
    calls: ["inputs.cancel"],
    summary: "Takes back an input the agent has not taken",
    replies: { 200: cancelled },
    run: async ({ params }, { host }) => json({ state: await host.inputs(params.session).cancel(params.input) }),
  }),
  route({
    name: "releaseInputs",
    method: "POST",
    path: "/v1/sessions/:session/queue/release",
    calls: ["inputs.release"],
    summary: "Frees a held input, or all",
    body: release,
    replies: { 204: null },
    run: async ({ params, body }, { host }) => {
      await host.inputs(params.session).release(body.inputId);
      return done;
    },
  }),
] as const;

const messagesQuery = z.object({
  before: z.string().max(200).exactOptional().meta({ description: "A message's id; absent: the newest." }),
  limit: pageLimit,
});
export const turnRoutes = [
  route({
    name: "listMessages",
    method: "GET",
    path: "/v1/sessions/:session/messages",
    calls: ["messages"],
    summary: "A page of the conversation shown, oldest first in it",
    query: messagesQuery,
    replies: { 200: messagePage },
    run: async ({ params, query }, { host }) => json(await host.messages(params.session, query)),
  }),
  route({
    name: "readTree",
    method: "GET",
    path: "/v1/sessions/:session/tree",
    calls: ["tree.read"],
    summary: "Messages and entries of every branch, each after its parent",
    replies: { 200: tree },
    run: async ({ params }, { host }) => json(await host.tree.read(params.session)),
  }),
  route({
    name: "stopTurn",
    method: "POST",
    path: "/v1/sessions/:session/turns/:turn/stop",
    calls: ["stop"],
    summary: "Stops that turn and no later one",
    replies: { 200: stopOutcome },
    run: async ({ params }, { host }) => json(await host.stop(params.session, params.turn)),
  }),
  route({
    name: "compactSession",
    method: "POST",
    path: "/v1/sessions/:session/compact",
    calls: ["compact"],
    summary: "Asks the agent to make its history shorter",
    body: compaction,
    replies: { 204: null },
    run: async ({ params, body }, { host }) => {
      await host.compact(params.session, body.text);
      return done;
    },
  }),
  route({
    name: "stopCompaction",
    method: "DELETE",
    path: "/v1/sessions/:session/compact",
    calls: ["stopCompaction"],
    summary: "Stops a compaction that runs outside a turn",
    replies: { 204: null },
    run: async ({ params }, { host }) => {
      await host.stopCompaction(params.session);
      return done;
    },
  }),
  route({
    name: "closeConnection",
    method: "POST",
    path: "/v1/sessions/:session/close",
    calls: ["close"],
    summary: "Closes an idle connection to the agent",
    replies: { 204: null },
    run: async ({ params }, { host }) => {
      await host.close(params.session);
      return done;
    },
  }),
  route({
    name: "resumeSession",
    method: "POST",
    path: "/v1/sessions/:session/resume",
    calls: ["resume"],
    summary: "Chooses how to go on after the agent's own session was lost",
    body: resumeChoice,
    replies: { 204: null },
    run: async ({ params, body }, { host }) => {
      await host.resume(params.session, body.choice);
      return done;
    },
  }),
] as const;
