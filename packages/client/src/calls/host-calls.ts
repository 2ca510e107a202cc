/** Files, directories, and the host itself. */
import { type Api, dataOf, done, given } from "./api.ts";

export type NewFile = { readonly name?: string; readonly mediaType: string; readonly bytes: Uint8Array | Blob };
export type UsageQuery = {
  /** Ms since 1970: reported at or after `from`, and before `to`. */
  readonly from?: number;
  readonly to?: number;
  readonly by: "day" | "agent" | "session" | "model";
};

export function hostCalls(api: Api) {
  return {
    /** Its `url` names the file in the parts of a message. */
    putFile: ({ name, mediaType, bytes }: NewFile) =>
      dataOf(
        api.POST("/v1/files", {
          params: { query: given({ name }) },
          headers: { "content-type": mediaType },
          body: "", // the types know text only
          bodySerializer: () => bytes,
        }),
      ),
    file: async (id: string): Promise<Blob> =>
      dataOf(api.GET("/v1/files/{file}", { params: { path: { file: id } }, parseAs: "blob" })),
    /** Directories a session may work in: those inside a directory, or the roots. */
    directories: (path?: string) => dataOf(api.GET("/v1/workspaces", { params: { query: given({ path }) } })),
    drivers: async () => (await dataOf(api.GET("/v1/drivers"))).items,
    usageTotals: async ({ from, to, by }: UsageQuery) => {
      const query = { by, ...given({ from: from?.toString(), to: to?.toString() }) };
      return (await dataOf(api.GET("/v1/usage", { params: { query } }))).items;
    },
    /** No turn starts until `endPause` with the same reason. */
    pause: (reason: string) => done(api.POST("/v1/host/pause", { body: { reason } })),
    endPause: (reason: string) => done(api.DELETE("/v1/host/pause/{reason}", { params: { path: { reason } } })),
    /** `items`: work in flight; `holds`: the reasons of pauses asked for over HTTP. */
    work: () => dataOf(api.GET("/v1/host/work")),
    /** Waits for work in flight to end; aborts nothing. */
    drainInFlight: (wish: { readonly timeoutMs: number }) => dataOf(api.POST("/v1/host/drain", { body: wish })),
    /** A directory of that name among the host's backups; without one, of the time. */
    backup: (name?: string) => dataOf(api.POST("/v1/host/backup", { body: given({ name }) })),
  };
}
