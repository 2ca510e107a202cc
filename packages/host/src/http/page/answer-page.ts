/** A file of the page as an answer. */
import type { GateContext } from "../gates/gate.ts";
import { noSuchRoute } from "../problem.ts";
import type { PageFiles } from "./page-files.ts";

/** Open to strangers: it is the same code for everybody, and shows nothing until the API knows who asks. */
export async function answerPage(c: GateContext, files: PageFiles | null): Promise<Response> {
  const file = await files?.find(c.req.path);
  if (!file) throw noSuchRoute(c.req.path);
  const { bytes, zipped, headers } = file;
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  const takesGzip = /(^|,)\s*gzip\s*(,|;|$)/.test(c.req.header("accept-encoding") ?? "");
  if (zipped === null || !takesGzip) return c.body(bytes);
  c.header("content-encoding", "gzip");
  return c.body(zipped);
}
