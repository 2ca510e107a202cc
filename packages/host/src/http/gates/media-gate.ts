/**
 * Against posts that a browser sends for any page without asking first: those have a form's content type, or none. What
 * changes something is `application/json`, or a file's type where a file is taken. Without a body an `Authorization`
 * header is enough: a browser asks before it sends one.
 */
import { httpError } from "../problem.ts";
import { type Gate, type GateContext, isSafe } from "./gate.ts";

export const mediaGate: Gate =
  ({ body }) =>
  async (c, next) => {
    const { method } = c.req;
    if (
      !isSafe(method) &&
      method !== "DELETE" &&
      body !== "file" &&
      !isJson(c.req.header("content-type")) &&
      !isBare(c)
    )
      throw httpError("unsupported-media-type", "Send JSON, with the header `content-type: application/json`.");
    await next();
  };
const isJson = (type: string | undefined): boolean => /^application\/(json|[\w.+-]+\+json) *(;|$)/i.test(type ?? "");
const isBare = (c: GateContext): boolean =>
  isEmpty(c) && c.req.header("content-type") === undefined && c.req.header("authorization") !== undefined;
/** Node gives a request without a body an empty stream: its headers tell. */
const isEmpty = (c: GateContext): boolean =>
  c.req.raw.body === null ||
  ((c.req.header("content-length") ?? "0") === "0" && c.req.header("transfer-encoding") === undefined);
