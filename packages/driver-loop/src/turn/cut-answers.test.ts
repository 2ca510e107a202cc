import { scriptedModel } from "@mooring/scripted-model";
import { wrapLanguageModel } from "ai";
import { expect, test } from "vitest";
import { limits } from "../limits.ts";
import { openHost } from "../testing/open-host.ts";

type Reason = "length" | "content-filter" | "error";

/** The scripted model, whose first answers end for another reason. */
function endingModel(unified: Reason, times: number) {
  const scripted = scriptedModel();
  const model = wrapLanguageModel({
    model: scripted,
    middleware: {
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        if (scripted.requests.length > times) return { stream, ...rest };
        const ended = new TransformStream<typeof stream extends ReadableStream<infer P> ? P : never>({
          transform: (part, controller) =>
            controller.enqueue(part.type === "finish" ? { ...part, finishReason: { unified, raw: "why" } } : part),
        });
        return { stream: stream.pipeThrough(ended), ...rest };
      },
    },
  });
  return { scripted, models: { scripted: () => model } };
}

test("an answer cut at the output limit completes, with a notice", async () => {
  const host = await openHost(endingModel("length", 1));
  expect(await host.turn("#say half of it")).toMatchObject({ outcome: "completed" });
  expect(host.all("notice")).toMatchObject([{ code: "output-limit", level: "warning" }]);
});

test("calls of an answer that was cut are not made; the model is told and asked again", async () => {
  const { scripted, models } = endingModel("length", 1);
  const host = await openHost({ models });
  expect(await host.turn("#bash touch made\n#say ok")).toMatchObject({ outcome: "completed" });
  expect(host.calls).toEqual([]);
  expect(host.results).toEqual(["error: The call was not made: the model's answer was cut off."]);
  expect(scripted.requests[1]?.prompt.at(-1)).toMatchObject({
    results: [{ text: "The call was not made: the model's answer was cut off.", failed: true }],
  });
  expect(host.said).toBe("ok");
});

test("a model whose answers are cut again and again is not asked for ever", async () => {
  const { scripted, models } = endingModel("length", 100);
  const host = await openHost({ models });
  await host.turn(Array.from({ length: 20 }, () => "#bash true").join("\n"));
  expect(scripted.requests).toHaveLength(limits.cutAnswers + 1);
  expect(host.chunks.filter(({ type }) => type === "tool-output-error")).toHaveLength(limits.cutAnswers + 1);
});

test("a refusal fails the turn and says so", async () => {
  const host = await openHost(endingModel("content-filter", 1));
  expect(await host.turn("#say I would rather not")).toEqual({
    type: "error",
    turnId: "trn_1",
    code: "model-refused",
    message: "The model refused to answer (why).",
    retry: "never",
  });
});

test("a model that ends with an error fails the turn", async () => {
  const host = await openHost(endingModel("error", 1));
  expect(await host.turn("#say oh")).toMatchObject({ type: "error", code: "model-error" });
});

test("a turn is bounded in requests, says so, and can be continued", async () => {
  const host = await openHost({ options: { maxSteps: 3 } });
  const lines = Array.from({ length: 5 }, () => "#read nothing");
  expect(await host.turn(lines.join("\n"))).toMatchObject({ outcome: "completed" });
  expect(host.chunks.filter(({ type }) => type === "start-step")).toHaveLength(3);
  expect(host.all("notice")).toMatchObject([{ code: "step-limit", text: expect.stringContaining("3 model requests") }]);
  expect(await host.turn("#say on we go", "trn_2")).toMatchObject({ outcome: "completed" });
});
