/** Approvals, files, directories, and the host itself. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { defaultHttpLimits } from "../limits.ts";
import { httpError } from "../problem.ts";
import { approvalList, approvalResult, newAnswer } from "../schemas/approvals.ts";
import { backup, directories, drain, drained, driverList, file, newBackup, pause, workList } from "../schemas/host.ts";
import { usageTotals } from "../schemas/usage.ts";
import { fileHeaders, isKnown } from "./file-headers.ts";
import { wholeNumber, yesOrNo } from "./query-values.ts";
import { done, type FileBody, json, type RoutePorts, route } from "./route.ts";

const fileUrl = (id: string): string => `mooring:file/${id}`;

export const approvalRoutes = [
  route({
    name: "listApprovals",
    method: "GET",
    path: "/v1/approvals",
    calls: ["approvals"],
    summary: "Questions that block tool calls, newest first",
    query: z.object({ session: z.string().exactOptional(), open: yesOrNo.exactOptional() }),
    replies: { 200: approvalList },
    run: async ({ query: { session, open } }, { host }) => {
      const of = session === undefined ? {} : { sessionId: (await host.get(session)).id };
      return json({ items: await host.approvals({ ...of, ...(open === undefined ? {} : { open }) }) });
    },
  }),
  route({
    name: "answerApproval",
    method: "POST",
    path: "/v1/approvals/:approval",
    calls: ["answer"],
    summary: "Decides; the first answer wins, and everyone else is told what it was",
    body: newAnswer,
    replies: { 200: approvalResult },
    run: async ({ params, body, by }, { host }) => json(await host.answer(params.approval, { ...body, by })),
  }),
] as const;

export const fileRoutes = [
  route({
    name: "storeFile",
    method: "POST",
    path: "/v1/files",
    calls: ["putFile"],
    summary: "Keeps a file: its bytes are the body, its type the content type",
    query: z.object({ name: z.string().max(1_000).exactOptional() }),
    body: "file",
    size: "file",
    replies: { 201: file },
    run: async ({ query, body }, { host }) => {
      const { id, ...row } = await host.putFile({ ...(body as FileBody), ...query });
      return json({ id, ...row, url: fileUrl(id) }, 201);
    },
  }),
  route({
    name: "readFile",
    method: "GET",
    path: "/v1/files/:file",
    calls: ["file"],
    summary: "A file's bytes",
    headers: { "if-none-match": "An `etag` of an earlier answer: 304 and no bytes, for they never change." },
    replies: { 200: { mediaType: "*/*", description: "The bytes, with the type they were stored with." }, 304: null },
    run: async ({ params, header }, { host }) => {
      const { bytes, ...row } = await host.file(params.file);
      const headers = fileHeaders(row);
      if (isKnown(row, header("if-none-match"))) return { kind: "empty", status: 304, headers };
      return { kind: "content", status: 200, content: bytes, headers };
    },
  }),
  route({
    name: "listDirectories",
    method: "GET",
    path: "/v1/workspaces",
    calls: ["directories"],
    summary: "Directories a session may work in",
    query: z.object({ path: z.string().max(4_096).exactOptional().meta({ description: "Absent: the roots." }) }),
    replies: { 200: directories },
    run: async ({ query }, { host }) => json(await host.directories(query.path)),
  }),
] as const;

async function makeBackup(name: string | undefined, { host, clock, backupDir }: RoutePorts): Promise<string> {
  if (backupDir === null)
    throw httpError("no-backup-directory", "This server was started without a directory for backups.");
  await mkdir(backupDir, { recursive: true, mode: 0o700 });
  const path = join(backupDir, name ?? new Date(clock.now()).toISOString().replace(/[:.]/g, "-"));
  await host.backup(path);
  return path;
}
const usageQuery = z.object({
  from: wholeNumber.exactOptional().meta({ description: "Milliseconds since 1970, included." }),
  to: wholeNumber.exactOptional().meta({ description: "Milliseconds since 1970, excluded." }),
  by: z.enum(["day", "agent", "session", "model"]),
});

export const hostRoutes = [
  route({
    name: "listDrivers",
    method: "GET",
    path: "/v1/drivers",
    calls: ["drivers"],
    summary: "The drivers there are, and what each lacks",
    replies: { 200: driverList },
    run: async (_, { host }) => json({ items: await host.drivers() }),
  }),
  route({
    name: "totalUsage",
    method: "GET",
    path: "/v1/usage",
    calls: ["usageTotals"],
    summary: "What all sessions used, by day, agent or model",
    query: usageQuery,
    replies: { 200: usageTotals },
    run: async ({ query }, { host }) => json({ items: await host.usageTotals(query) }),
  }),
  route({
    name: "pauseHost",
    method: "POST",
    path: "/v1/host/pause",
    calls: ["pause"],
    summary: "No turn starts until this pause is ended",
    body: pause,
    replies: { 200: pause },
    run: async ({ body }, { holds }) => {
      holds.pause(body.reason);
      return json({ reason: body.reason });
    },
  }),
  route({
    name: "resumeHost",
    method: "DELETE",
    path: "/v1/host/pause/:reason",
    calls: ["pause"],
    summary: "Ends a pause that was asked for over HTTP",
    replies: { 204: null },
    run: async ({ params }, { holds }) => {
      holds.release(params.reason);
      return done;
    },
  }),
  route({
    name: "listWork",
    method: "GET",
    path: "/v1/host/work",
    calls: ["listActiveWork"],
    summary: "Work in flight",
    replies: { 200: workList },
    run: async (_, { host, holds }) => json({ items: host.listActiveWork(), holds: holds.reasons }),
  }),
  route({
    name: "drainHost",
    method: "POST",
    path: "/v1/host/drain",
    calls: ["drainInFlight"],
    summary: "Waits for work in flight to end; aborts nothing",
    body: drain(defaultHttpLimits.drainMs),
    replies: { 200: drained },
    run: async ({ body }, { host }) => json(await host.drainInFlight(body)),
  }),
  route({
    name: "backUp",
    method: "POST",
    path: "/v1/host/backup",
    calls: ["backup"],
    summary: "Copies what is stored, while it runs, into a new directory among the host's backups",
    body: newBackup,
    replies: { 201: backup },
    run: async ({ body }, ports) => json({ path: await makeBackup(body.name, ports) }, 201),
  }),
] as const;
