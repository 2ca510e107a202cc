import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HistoryEntry } from "../../ports/driver.ts";
import type { Part } from "../../protocol/input.ts";
import { createMemoryStore } from "../../stores/memory.ts";
import { countingIds } from "../../testing/counting-ids.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { dataUrl, fileUrl } from "./data-url.ts";
import { Files } from "./files.ts";
import { givenHistory, givenParts, type Takes } from "./given-parts.ts";

let dataDir = "";
let files: Files;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-given-"));
  const [ids, clock] = [countingIds(), new VirtualClock()];
  files = new Files({ store: createMemoryStore({ ids, clock }), ids, clock, dataDir, maxBytes: 1_000 });
});
afterEach(() => rm(dataDir, { recursive: true }));

const all: Takes = { images: true, types: [], directory: null, imageBytes: 100, maxBytes: 1_000 };
const png = (length = 20): Buffer => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(length - 8)]);
async function stored(bytes: Buffer, mediaType: string, name?: string): Promise<Part & { type: "file" }> {
  const { id } = await files.put({ mediaType, bytes, ...(name === undefined ? {} : { name }) });
  return { type: "file", mediaType, url: fileUrl(id), ...(name === undefined ? {} : { filename: name }) };
}
const given = async (part: Part, takes: Partial<Takes> = {}): Promise<Part | undefined> =>
  (await givenParts(files, { ...all, ...takes }, [part]))?.[0];
const words = (text: string): Part => ({ type: "text", text: `[Attached file: ${text}]` });

test("without a stored file there is nothing to do", () => {
  const parts: Part[] = [
    { type: "text", text: "hi" },
    { type: "file", mediaType: "image/png", url: dataUrl("image/png", png()) },
    { type: "file", mediaType: "image/png", url: "https://example.com/a.png" },
  ];
  expect(givenParts(files, all, parts)).toBeNull();
});

test("an image is given whole to an agent that sees, and named to one that does not", async () => {
  const part = await stored(png(), "image/png", "a.png");
  expect(await given(part)).toEqual({ ...part, url: dataUrl("image/png", png()) });
  expect(await given(part, { images: false })).toEqual(
    words("a.png (image/png, 20 bytes) cannot be shown: this agent sees no images"),
  );
  expect(await given(part, { imageBytes: 19 })).toEqual(
    words("a.png (image/png, 20 bytes) cannot be shown: images have at most 19 bytes"),
  );
});

test("an image is given as what its bytes are, and what is none is no image", async () => {
  const jpeg = Buffer.from("ffd8ffe000", "hex");
  expect(await given(await stored(jpeg, "image/png"))).toMatchObject({
    mediaType: "image/jpeg",
    url: dataUrl("image/jpeg", jpeg),
  });
  const drawn = await stored(Buffer.from("<svg/>"), "image/svg+xml", "a.svg");
  expect(await given(drawn)).toEqual(words("a.svg (image/svg+xml, 6 bytes) is no image that agents can see"));
});

test("other files are given when the agent takes their type", async () => {
  const part = await stored(Buffer.from("hello"), "text/plain;charset=utf-8", "a.txt");
  const whole = { ...part, url: dataUrl("text/plain;charset=utf-8", Buffer.from("hello")) };
  expect(await given(part, { types: ["text/plain"] })).toEqual(whole);
  expect(await given(part, { types: ["text/*"] })).toEqual(whole);
  const type = "text/plain;charset=utf-8, 5 bytes";
  expect(await given(part, { types: ["application/pdf", "text/html"] })).toEqual(
    words(`a.txt (${type}) is of a type this agent does not take`),
  );
});

test("an agent that reads files is told where a copy lies, under a name that leads nowhere else", async () => {
  const directory = join(dataDir, "home", "attachments");
  const part = await stored(Buffer.from("hello"), "text/plain", "../../etc/pass wd\n");
  const path = join(directory, "fil_0001", "__.._etc_pass wd_");
  const told = "text/plain, 5 bytes";
  expect(await given(part, { directory })).toEqual(words(`../../etc/pass wd  (${told}) at ${path}`));
  expect(await readFile(path, "utf8")).toBe("hello");
  expect(await given(part, { directory })).toEqual(words(`../../etc/pass wd  (${told}) at ${path}`));
});

test("what is missing is said, never thrown", async () => {
  const part = await stored(png(), "image/png", "a.png");
  await rm(join(dataDir, "files"), { recursive: true });
  const gone = words("a.png (image/png, 20 bytes) is no longer on this host's disk");
  expect(await given(part)).toEqual(gone);
  expect(await given(part, { images: false, directory: join(dataDir, "home") })).toEqual(gone);
  const foreign: Part = { type: "file", mediaType: "image/png", url: fileUrl("fil_else") };
  expect(await given(foreign)).toEqual(words("unnamed (image/png) is not known to this host"));
});

test("of a history the newest files are given, as many as there is room for", async () => {
  const [old, middle, young] = [png(40), png(30), png(50)];
  const parts = [
    await stored(old, "image/png", "1"),
    await stored(middle, "image/png", "2"),
    await stored(young, "image/png", "3"),
  ];
  const history = parts.map((part, i): HistoryEntry => {
    return { kind: "message", message: { id: `m${i}`, role: "user", parts: [{ type: "text", text: `${i}` }, part] } };
  });
  const shown = await givenHistory(files, { ...all, maxBytes: 95 }, history);
  const shownParts = shown.map((entry) => (entry.kind === "message" ? entry.message.parts[1] : null));
  expect(shownParts).toEqual([
    words("1 (image/png, 40 bytes) is too much beside the other files"),
    { ...parts[1], url: dataUrl("image/png", middle) },
    { ...parts[2], url: dataUrl("image/png", young) },
  ]);
  expect(shown.map((entry) => entry.kind === "message" && entry.message.id)).toEqual(["m0", "m1", "m2"]);
});

test("what an agent thought in pictures goes back as it came", async () => {
  const { url } = await stored(Buffer.from("thought"), "application/x-thought");
  const part: Part = { type: "reasoning-file", mediaType: "application/x-thought", url };
  expect(await given(part)).toEqual({ ...part, url: dataUrl("application/x-thought", Buffer.from("thought")) });
});
