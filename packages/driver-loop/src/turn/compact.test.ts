import { scriptedModel } from "@mooring/scripted-model";
import { APICallError, wrapLanguageModel } from "ai";
import { expect, test } from "vitest";
import { openHost } from "../testing/open-host.ts";

const small = { contextWindow: 1_000 };

test("a history that nearly fills the window is summarised before the next request", async () => {
  const model = scriptedModel();
  const host = await openHost({ models: { scripted: () => model }, options: small });
  await host.turn("#usage 790 20\n#say first answer");
  await host.turn("#say second answer", "trn_2");
  expect(host.all("compaction-start")).toEqual([{ type: "compaction-start", turnId: "trn_2", trigger: "auto" }]);
  expect(host.all("compaction-complete")).toMatchObject([
    {
      turnId: "trn_2",
      done: { trigger: "auto", summary: expect.stringContaining("summary: 3 lines"), covers: "msg_1" },
    },
  ]);
  const [, summary, second] = model.requests;
  expect(summary?.step.source).toBe("summary");
  expect(second?.prompt).toMatchObject([
    { role: "user", text: expect.stringContaining("<summary>") },
    { role: "user", text: "#say second answer" },
  ]);
  expect(host.all("usage")).toHaveLength(3);
  await host.turn("#say third", "trn_3");
  expect(model.requests.at(-1)?.prompt.map(({ role }) => role)).toEqual(["user", "user", "assistant", "user"]);
});

test("below the threshold nothing is summarised", async () => {
  const host = await openHost({ options: small });
  await host.turn("#usage 700 20\n#say first");
  await host.turn("#say second", "trn_2");
  expect(host.all("compaction-start")).toEqual([]);
});

test("it happens between two steps of a turn too, and the turn's own messages stay", async () => {
  const model = scriptedModel();
  const host = await openHost({ models: { scripted: () => model }, options: small });
  await host.turn("#say first");
  await host.turn("#usage 850 10\n#bash echo kept\n#say ok", "trn_2");
  expect(host.all("compaction-complete")).toMatchObject([{ done: { covers: "msg_1" } }]);
  expect(model.requests.at(-1)?.prompt.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool"]);
  expect(host.said).toContain("ok");
});

test("a long turn with nothing before it is shortened for itself, and nothing is stored of it", async () => {
  const scripted = scriptedModel();
  // The scripted model counts its steps in the conversation, so a summary would begin its script again.
  const model = wrapLanguageModel({
    model: scripted,
    middleware: {
      transformParams: async ({ params }) => {
        if (!JSON.stringify(params.prompt).includes("<summary>")) return params;
        return {
          ...params,
          prompt: [...params.prompt, { role: "user", content: [{ type: "text", text: "#say ok" }] }],
        };
      },
    },
  });
  const host = await openHost({ models: { scripted: () => model }, options: small });
  const lines = Array.from({ length: 5 }, (_, i) => `#usage ${i === 4 ? 900 : 10} 10\n#bash echo step ${i}`);
  await host.turn(lines.join("\n"));
  expect(host.all("compaction-complete")).toEqual([{ type: "compaction-complete", turnId: "trn_1", done: null }]);
  expect(host.entries.some(({ kind }) => kind === "compaction")).toBe(false);
  expect(scripted.requests.at(-1)?.prompt.map(({ role }) => role)).toEqual([
    "user",
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
    "user",
  ]);
});

test("a hook can forbid it", async () => {
  const host = await openHost({ options: small, hooks: { beforeCompaction: async () => "cancel" } });
  await host.turn("#usage 900 20\n#say first");
  expect(await host.turn("#say second", "trn_2")).toMatchObject({ outcome: "completed" });
  expect(host.all("compaction-start")).toEqual([]);
});

/** Refuses a request that is longer than it was told, as a provider does. */
function narrowModel(maxMessages: number) {
  const tooLong = { url: "http://x", requestBodyValues: {}, statusCode: 400, message: "prompt is too long" };
  return wrapLanguageModel({
    model: scriptedModel(),
    middleware: {
      wrapStream: async ({ doStream, params }) => {
        if (params.prompt.filter(({ role }) => role !== "system").length > maxMessages) throw new APICallError(tooLong);
        return doStream();
      },
    },
  });
}

test("a request that is too long is sent once more after a compaction, in the same turn", async () => {
  const host = await openHost({ models: { scripted: () => narrowModel(3) } });
  await host.turn("#say one");
  await host.turn("#say two", "trn_2");
  expect(await host.turn("#say three", "trn_3")).toMatchObject({ outcome: "completed" });
  expect(host.all("compaction-complete")).toMatchObject([
    { turnId: "trn_3", done: { trigger: "overflow", covers: "msg_3" } },
  ]);
  expect(host.said).toBe("onetwothree");
  expect(host.all("error")).toEqual([]);
});

test("a steer is not lost when its request was too long", async () => {
  const host = await openHost({
    models: { scripted: () => narrowModel(5) },
    decide: async () => {
      await host.steer("and this", "inp_2", "trn_2");
      return "allow";
    },
  });
  await host.turn("#say one");
  expect(await host.turn("#bash true\n#say two", "trn_2")).toMatchObject({ outcome: "completed" });
  expect(host.all("compaction-complete")).toHaveLength(1);
  expect(host.all("steer-boundary")).toMatchObject([{ taken: ["inp_2"] }]);
  expect(host.said).toBe("onetwo (noted: and this)");
});

test("a second overflow of a turn is its end", async () => {
  const host = await openHost({ models: { scripted: () => narrowModel(1) } });
  await host.turn("#say one");
  const end = await host.turn("#say two", "trn_2");
  expect(end).toMatchObject({ type: "error", code: "context-overflow", message: "prompt is too long" });
  expect(host.all("compaction-complete")).toHaveLength(1);
});

test("a compaction that fails is reported, and the turn goes on without", async () => {
  const model = wrapLanguageModel({
    model: scriptedModel(),
    middleware: {
      wrapStream: async ({ doStream, params }) => {
        if (!JSON.stringify(params.prompt).includes("<conversation>")) return doStream();
        throw new APICallError({
          url: "http://x",
          requestBodyValues: {},
          statusCode: 400,
          message: "no summaries here",
        });
      },
    },
  });
  const host = await openHost({ models: { scripted: () => model }, options: small });
  await host.turn("#usage 900 20\n#say one");
  expect(await host.turn("#say two", "trn_2")).toMatchObject({ outcome: "completed" });
  expect(host.all("compaction-error")).toEqual([
    { type: "compaction-error", turnId: "trn_2", message: "no summaries here" },
  ]);
});

test("a stop ends a compaction", async () => {
  const model = wrapLanguageModel({
    model: scriptedModel(),
    middleware: {
      wrapStream: ({ doStream, params }) =>
        JSON.stringify(params.prompt).includes("<conversation>") ? new Promise(() => {}) : Promise.resolve(doStream()),
    },
  });
  const host = await openHost({ models: { scripted: () => model }, options: small });
  await host.turn("#usage 900 20\n#say one");
  await host.send("#say two", "trn_2");
  await host.next("compaction-start");
  await host.connection.abortTurn("trn_2");
  expect(await host.end("trn_2")).toMatchObject({ outcome: "stopped" });
  expect(host.all("compaction-error")).toMatchObject([{ message: "The compaction was stopped." }]);
});

test("a person can ask for it between turns", async () => {
  const host = await openHost();
  await expect(host.connection.compact?.()).rejects.toMatchObject({ code: "nothing-to-compact" });
  await host.turn("#say one");
  const compacting = host.connection.compact?.("keep the names");
  await expect(host.connection.compact?.()).rejects.toMatchObject({ code: "session-busy" });
  await compacting;
  await host.next("compaction-complete");
  expect(host.all("compaction-complete")).toMatchObject([{ done: { trigger: "manual", covers: "msg_1" } }]);
  await expect(host.connection.compact?.()).rejects.toMatchObject({ code: "nothing-to-compact" });
});
