import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestHost, testHost } from "../../testing/test-host.ts";
import { createHandler, type Handler } from "../create-handler.ts";

const script = "console.log('page');".repeat(200);
let world: TestHost;
let place: string;
let handler: Handler;
beforeEach(async () => {
  world = await testHost();
  place = await mkdtemp(join(tmpdir(), "mooring-page-"));
  await mkdir(join(place, "dist", "assets"), { recursive: true });
  await writeFile(join(place, "secret.html"), "not the page's");
  await writeFile(join(place, "dist", "index.html"), "<!doctype html><title>Mooring</title>");
  await writeFile(join(place, "dist", "assets", "main-abc.js"), script);
  handler = createHandler(world.host, { auth: { token: "t".repeat(40) }, pageDir: join(place, "dist") });
});
afterEach(async () => {
  await rm(place, { recursive: true });
  await world.end();
});
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  handler.fetch(new Request(`http://127.0.0.1${path}`, { headers }));

test.each(["/", "/sessions/ses_1", "/approvals", "/agents", "/usage"])(
  "%s is the page, for whoever asks",
  async (path) => {
    const response = await get(path, { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain("<title>Mooring</title>");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  },
);

test("an asset is kept for good, smaller for whoever takes it so", async () => {
  const plain = await get("/assets/main-abc.js");
  expect(plain.headers.get("cache-control")).toContain("immutable");
  expect(await plain.text()).toBe(script);
  const small = await get("/assets/main-abc.js", { "accept-encoding": "br, gzip" });
  const bytes = Buffer.from(await small.arrayBuffer());
  expect(small.headers.get("content-encoding")).toBe("gzip");
  expect(bytes.length).toBeLessThan(script.length / 5);
  expect(gunzipSync(bytes).toString()).toBe(script);
});

test.each([
  "/assets/none.js",
  "/assets/..%2f..%2fsecret.html",
  "/assets/%2e%2e/secret.html",
  "/secret.html",
  "/index.html",
])("%s is not there", async (path) => {
  const response = await get(path, { authorization: `Bearer ${"t".repeat(40)}` });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "no-such-route" });
});

test("the page's own API still wants to know who asks, and a foreign name gets nothing", async () => {
  expect((await get("/v1/sessions")).status).toBe(401);
  expect((await get("/", { host: "evil.example" })).status).toBe(403);
});

test("without a page there is none", async () => {
  const bare = createHandler(world.host, { auth: { token: "t".repeat(40) } });
  expect((await bare.fetch(new Request("http://127.0.0.1/"))).status).toBe(401);
});
