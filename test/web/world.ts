/**
 * A server with the page, a browser, and a hand on the model: what the page's tests act in. Invariants: nothing outside
 * this computer is asked; every page's errors and refused requests are kept, and fail the test that looks at none.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { loopDriver } from "@mooring/driver-loop";
import { createHost, type SessionHost, silentLog, systemClock, systemIds } from "@mooring/host";
import { createHandler, type Handler } from "@mooring/host/http";
import { openSqliteStore } from "@mooring/host/sqlite";
import { type ScriptedModel, scriptedModel } from "@mooring/scripted-model";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const pageDir = join(import.meta.dirname, "..", "..", "packages", "web", "dist");
/** Screenshots of the run; not part of the repository. */
export const pictures = join(import.meta.dirname, "..", "..", "node_modules", ".page-pictures");

type Gate = { readonly reached: PromiseWithResolvers<void>; readonly open: PromiseWithResolvers<void> };

export class World {
  readonly model: ScriptedModel = scriptedModel();
  readonly errors: string[] = [];
  readonly #gates: Gate[] = [];
  readonly #browser: Browser;
  readonly #place: string;
  readonly #contexts: BrowserContext[] = [];
  #host: SessionHost | null = null;
  #handler: Handler | null = null;
  #server: Server | null = null;
  #port = 0;

  private constructor(browser: Browser, place: string) {
    this.#browser = browser;
    this.#place = place;
  }
  static async open(executablePath: string): Promise<World> {
    const browser = await chromium.launch({ executablePath, args: flags });
    const world = new World(browser, await mkdtemp(join(tmpdir(), "mooring-page-")));
    await mkdir(pictures, { recursive: true });
    await world.serve();
    const { host } = world;
    await host.agents.add({ name: "demo", driver: "loop", model: "scripted", permissionMode: "acceptEdits" });
    await host.agents.add({ name: "free", driver: "loop", model: "scripted", permissionMode: "bypassPermissions" });
    return world;
  }
  async close(): Promise<void> {
    await this.#browser.close();
    await this.stop();
    await rm(this.#place, { recursive: true });
  }

  get host(): SessionHost {
    if (this.#host === null) throw new TypeError("The server is stopped.");
    return this.#host;
  }
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }
  /** Where agents may work. */
  get directory(): string {
    return this.#place;
  }

  // --- the server -------------------------------------------------------------------------------------------------

  /** On the same port as before. */
  async serve(): Promise<void> {
    const dataDir = join(this.#place, "data");
    const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
    const drivers = [loopDriver({ models: { scripted: () => this.#gated() } })];
    this.#host = await createHost({ store, drivers, dataDir, roots: [this.#place], env: {} });
    this.#handler = createHandler(this.#host, { auth: { token: "token-of-the-page-tests" }, pageDir });
    const listener = getRequestListener(this.#handler.fetch);
    const server = createServer((request, response) => {
      listener(request, response).catch((cause: unknown) => this.errors.push(String(cause)));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }
  /** What runs is interrupted, and every connection breaks. */
  async stop(): Promise<void> {
    this.#handler?.close();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
    await this.#host?.shutdown({ graceMs: 0 });
    this.#host = null;
  }

  // --- the model --------------------------------------------------------------------------------------------------

  /** The next request of the model waits. Resolves when it came; call what it gives to let it be answered. */
  hold(): { readonly reached: Promise<void>; release(): void } {
    const gate = { reached: Promise.withResolvers<void>(), open: Promise.withResolvers<void>() };
    this.#gates.push(gate);
    return { reached: gate.reached.promise, release: () => gate.open.resolve() };
  }
  #gated(): ScriptedModel {
    const doStream: ScriptedModel["doStream"] = async (options) => {
      const gate = this.#gates.shift();
      gate?.reached.resolve();
      await gate?.open.promise;
      return this.model.doStream(options);
    };
    const get = (target: ScriptedModel, key: string | symbol): unknown =>
      key === "doStream" ? doStream : Reflect.get(target, key);
    return new Proxy(this.model, { get });
  }
  /** In the order in which the model reads them, those of `texts` that are in its last request. */
  toldToModel(texts: readonly string[]): readonly string[] {
    const told = JSON.stringify(this.model.requests.at(-1)?.prompt ?? []);
    return texts.filter((text) => told.includes(text)).sort((a, b) => told.indexOf(a) - told.indexOf(b));
  }

  // --- pages ------------------------------------------------------------------------------------------------------

  /** A page that is logged in, as on a device of its own. */
  async page(options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    this.#contexts.push(context);
    const page = await this.tab(context);
    await page.goto(`${this.url}/login?code=${this.#handler?.loginCode()}`);
    return page;
  }
  /** A page for a server that is not this world's. */
  async strange(): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 } });
    this.#contexts.push(context);
    return context.newPage();
  }
  async tab(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on("pageerror", (error) => this.errors.push(error.message));
    page.on("request", (request) => {
      const own = [this.url, "data:", `blob:${this.url}`];
      if (!own.some((start) => request.url().startsWith(start))) this.errors.push(request.url());
    });
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) this.errors.push(message.text());
    });
    return page;
  }
  async endPages(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    expect(this.errors.splice(0)).toEqual([]);
  }

  /** A session, shown in a page. */
  async session(page: Page, given: Parameters<SessionHost["create"]>[0] = {}): Promise<string> {
    const { id } = await this.host.create({ agent: "free", ...given });
    await page.goto(`${this.url}/sessions/${id}`);
    await message(page).waitFor();
    return id;
  }
}

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
/** What the agent said, as the page shows it. */
export const agent = (page: Page) => page.locator('[data-role="assistant"]');
export async function say(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press("Enter");
}
type Shown = { readonly role: string; readonly text: string };
/** The conversation as the page shows it. */
export const shown = (page: Page): Promise<readonly Shown[]> =>
  page.locator("[data-message]").evaluateAll((rows) =>
    rows.map((row) => ({
      role: row.getAttribute("data-role") ?? "",
      text: [...row.querySelectorAll("p:not(footer p), pre")].map((node) => node.textContent ?? "").join("\n"),
    })),
  );
/** As many different words. */
export const words = (count: number): string => Array.from({ length: count }, (_, n) => `w${n}.`).join(" ");
