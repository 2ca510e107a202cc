import { startScriptedServer } from "@mooring/scripted-model/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHost } from "../testing/open-host.ts";
import { credentialsProblem, makeModel, modelProblem } from "./providers.ts";

let server: Awaited<ReturnType<typeof startScriptedServer>>;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const wires = [
  ["anthropic", (url: string) => url, "sk-test"],
  ["openai-compatible", (url: string) => `${url}/v1`, null],
] as const;

for (const [provider, baseUrlOf, apiKey] of wires) {
  const open = () =>
    openHost({ model: "scripted-1", credentials: { provider, apiKey, baseUrl: baseUrlOf(server.url) } });

  test(`a turn with tools over ${provider}`, async () => {
    const host = await open();
    expect(await host.turn("#think hm\n#bash echo over the wire\n#usage 321 12\n#say done")).toMatchObject({
      outcome: "completed",
    });
    expect(host.results).toEqual(["over the wire\n"]);
    expect(host.said).toBe("done");
    expect(host.all("usage").at(-1)?.usage).toMatchObject({ tokens: { input: 321, output: 12 } });
  });

  test(`a second turn over ${provider}, after one that was stopped in a tool`, async () => {
    const host = await open();
    await host.send("#bash sleep 300\n#say no");
    await host.chunk("tool-input-available");
    await host.connection.abortTurn("trn_1");
    await host.end();
    expect(await host.turn("#say still here", "trn_2")).toMatchObject({ outcome: "completed" });
    expect(host.said).toBe("still here");
  });

  test(`retries, a bad key and a cut over ${provider}`, async () => {
    const host = await open();
    await host.send(`#status 529 x1 overloaded\n#say ok ${provider}`);
    expect(await host.next("api-retry")).toMatchObject({ status: 529, attempt: 1 });
    host.clock.advance(2_000);
    expect(await host.end()).toMatchObject({ outcome: "completed" });
    expect(await host.turn("#status 401 no such key", "trn_2")).toMatchObject({ code: "auth", message: "no such key" });
    const cut = await host.turn("#cut 2\n#say one two three", "trn_3");
    expect(cut).toMatchObject({ type: "error", code: "model-unreachable" });
    expect(host.all("api-retry")).toHaveLength(1);
  });
}

const credentials = (provider: string, apiKey: string | null = null, baseUrl: string | null = null) => ({
  provider,
  apiKey,
  baseUrl,
});

test.each(["anthropic", "openai", "google"])("%s needs a key, and the error says how to give one", (provider) => {
  expect(credentialsProblem(credentials(provider))).toMatchObject({
    code: "no-credentials",
    fix: expect.stringContaining("provider.apiKeyEnv"),
  });
  expect(credentialsProblem(credentials(provider, "sk"))).toBeNull();
});

test("an OpenAI-compatible provider needs an address, and no key", () => {
  expect(credentialsProblem(credentials("openai-compatible"))).toMatchObject({ code: "no-base-url" });
  expect(credentialsProblem(credentials("openai-compatible", null, "not an address"))).toMatchObject({
    code: "no-base-url",
  });
  expect(credentialsProblem(credentials("openai-compatible", null, "http://127.0.0.1:1/v1"))).toBeNull();
});

test("an unknown provider is named, with the known ones", () => {
  expect(credentialsProblem(credentials("constructor"))).toMatchObject({ code: "unknown-provider" });
  expect(credentialsProblem(credentials("mystery"))?.fix).toContain("anthropic, openai, google, openai-compatible");
});

test("every provider makes its model without reaching anything", async () => {
  for (const provider of ["anthropic", "openai", "google"]) {
    const model = await makeModel({ model: "some-model", credentials: credentials(provider, "sk") }, {});
    expect(model).toMatchObject({ modelId: "some-model" });
  }
});

test("a model of the embedder's needs no provider; an inherited name is none", () => {
  const factory = () => {
    throw new TypeError("not called");
  };
  expect(modelProblem({ model: "scripted", credentials: credentials("") }, { scripted: factory })).toBeNull();
  expect(modelProblem({ model: "any", credentials: credentials("scripted") }, { scripted: factory })).toBeNull();
  expect(modelProblem({ model: "toString", credentials: credentials("") }, {})).toMatchObject({
    code: "unknown-provider",
  });
  expect(modelProblem({ model: "", credentials: credentials("anthropic", "sk") }, {})).toMatchObject({
    code: "no-model",
  });
});
