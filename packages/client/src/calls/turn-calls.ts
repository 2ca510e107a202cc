/** What is said to a session, its queue, its turns, its questions and what was said. */
import { type Api, dataOf, done, type Given, given, type Schemas, sent } from "./api.ts";

const at = (session: string) => ({ params: { path: { session } } });

export function turnCalls(api: Api) {
  return {
    /** Stored when it resolves. `key`: the same key and body is one input, as its own `id` is. */
    submit: (id: string, input: Given<Schemas["NewInput"]>, { key }: { readonly key?: string } = {}) =>
      dataOf(
        api.POST("/v1/sessions/{session}/inputs", {
          params: { path: { session: id }, header: given({ "idempotency-key": key }) },
          body: sent<Schemas["NewInput"]>(input),
        }),
      ),
    inputs: (id: string) => inputCalls(api, id),
    stop: (id: string, turnId: string) =>
      dataOf(api.POST("/v1/sessions/{session}/turns/{turn}/stop", { params: { path: { session: id, turn: turnId } } })),
    /** A page of the conversation, oldest first in it; `before`: `older` of the page after it. */
    messages: (id: string, { before, limit }: { readonly before?: string; readonly limit?: number } = {}) =>
      dataOf(
        api.GET("/v1/sessions/{session}/messages", {
          params: { path: { session: id }, query: given({ before, limit: limit?.toString() }) },
        }),
      ),
    /** Messages and entries of every branch, each after its parent; `leaf`: where the branch shown ends. */
    tree: { read: (id: string) => dataOf(api.GET("/v1/sessions/{session}/tree", at(id))) },
    /** Everything a viewer begins with, at one place in the journal. */
    snapshot: (id: string) => dataOf(api.GET("/v1/sessions/{session}/snapshot", at(id))),
    compact: (id: string, text?: string) =>
      done(api.POST("/v1/sessions/{session}/compact", { ...at(id), body: given({ text }) })),
    stopCompaction: (id: string) => done(api.DELETE("/v1/sessions/{session}/compact", at(id))),
    /** Closes an idle connection to the agent. */
    close: (id: string) => done(api.POST("/v1/sessions/{session}/close", at(id))),
    resume: (id: string, choice: Schemas["ResumeChoice"]["choice"]) =>
      done(api.POST("/v1/sessions/{session}/resume", { ...at(id), body: { choice } })),
    /** Newest first. */
    approvals: async ({ sessionId, open }: { readonly sessionId?: string; readonly open?: boolean } = {}) => {
      const query = given({ session: sessionId, open: open === undefined ? undefined : yesOrNo(open) });
      return (await dataOf(api.GET("/v1/approvals", { params: { query } }))).items;
    },
    /** The first answer wins: another decision rejects with `approval-conflict`, the same one is no error. */
    answer: (approvalId: string, answer: Schemas["NewAnswer"]) =>
      dataOf(api.POST("/v1/approvals/{approval}", { params: { path: { approval: approvalId } }, body: answer })),
  };
}
const yesOrNo = (value: boolean): "true" | "false" => (value ? "true" : "false");

function inputCalls(api: Api, session: string) {
  const one = (input: string) => ({ params: { path: { session, input } } });
  const change = (id: string, body: Given<Schemas["InputPatch"]>) =>
    dataOf(api.PATCH("/v1/sessions/{session}/inputs/{input}", { ...one(id), body: sent<Schemas["InputPatch"]>(body) }));
  return {
    /** Inputs that have not ended, the waiting ones in the order of the queue. */
    list: async () => (await dataOf(api.GET("/v1/sessions/{session}/inputs", at(session)))).items,
    get: (id: string) => dataOf(api.GET("/v1/sessions/{session}/inputs/{input}", one(id))),
    edit: async (id: string, parts: Given<Schemas["NewPart"][]>) => void (await change(id, { parts })),
    /** Before another waiting input, or to the end (null). */
    move: async (id: string, before: string | null) => void (await change(id, { before })),
    cancel: async (id: string) => (await dataOf(api.DELETE("/v1/sessions/{session}/inputs/{input}", one(id)))).state,
    /** Frees one held input, or all. */
    release: (id?: string) =>
      done(api.POST("/v1/sessions/{session}/queue/release", { ...at(session), body: given({ inputId: id }) })),
  };
}
