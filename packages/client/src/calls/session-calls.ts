/** Sessions: made, shown, changed, copied, and what they used. */
import { type Api, dataOf, done, given, type Schemas } from "./api.ts";

type SessionState = "idle" | "busy" | "waiting" | "held";
export type SessionQuery = {
  /** In title, workspace or id. */
  readonly text?: string;
  readonly state?: SessionState;
  /** `next` of the page before. */
  readonly after?: string;
  /** Rows, at most 200. */
  readonly limit?: number;
};

const keyed = (key: string | undefined) => given({ "idempotency-key": key });
const at = (session: string) => ({ params: { path: { session } } });

export function sessionCalls(api: Api) {
  return {
    /** `key`: the same key is the same session, however often it is sent. */
    create: (session: Schemas["NewSession"] = {}, { key }: { readonly key?: string } = {}) =>
      dataOf(api.POST("/v1/sessions", { params: { header: keyed(key) }, body: session })),
    /** By session id or your own. */
    get: (id: string) => dataOf(api.GET("/v1/sessions/{session}", at(id))),
    /** Newest first. */
    list: ({ text: q, state, after, limit }: SessionQuery = {}) =>
      dataOf(api.GET("/v1/sessions", { params: { query: given({ q, state, after, limit: limit?.toString() }) } })),
    update: (id: string, patch: Schemas["SessionPatch"]) =>
      dataOf(api.PATCH("/v1/sessions/{session}", { ...at(id), body: patch })),
    /** Hides it now, removes it for ever after ten minutes. */
    remove: (id: string) => done(api.DELETE("/v1/sessions/{session}", at(id))),
    restore: (id: string) => dataOf(api.POST("/v1/sessions/{session}/restore", at(id))),
    fork: (id: string, fork: Schemas["Fork"] = {}) =>
      dataOf(api.POST("/v1/sessions/{session}/fork", { ...at(id), body: fork })),
    /** The text of a document. */
    export: (id: string, format: "json" | "markdown") =>
      dataOf(
        api.GET("/v1/sessions/{session}/export", {
          params: { path: { session: id }, query: { format } },
          parseAs: "text",
        }),
      ),
    import: (source: Schemas["ImportSource"]) => dataOf(api.POST("/v1/sessions/import", { body: source })),
    /** Those that are there, oldest first. */
    turns: async (id: string, turnIds: readonly string[]) =>
      (
        await dataOf(
          api.GET("/v1/sessions/{session}/turns", {
            params: { path: { session: id }, query: { ids: turnIds.join(",") } },
          }),
        )
      ).items,
    usage: (id: string) => dataOf(api.GET("/v1/sessions/{session}/usage", at(id))),
    /** How full the agent's context is; null: not known. */
    context: async (id: string) => (await dataOf(api.GET("/v1/sessions/{session}/context", at(id)))).usage,
    tools: async (id: string) => (await dataOf(api.GET("/v1/sessions/{session}/tools", at(id)))).items,
  };
}
