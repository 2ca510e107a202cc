/** Every view of the page as people meet it: in both themes, wide and narrow, with a screen reader, and when it is long. */
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { agent, pictures, say, World } from "./world.ts";

const browser = inject("chromium");
type Finding = {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
};
const views = ["home", "session", "approvals", "agents", "usage", "new-session", "agent-form"] as const;
let world: World;
let sessionId: string;

/** A session that has everything a conversation can show. */
async function filledSession(): Promise<string> {
  const page = await world.page();
  const id = await world.session(page, { agent: "demo", title: "Mend the harbour light" });
  await say(
    page,
    "#think The lamp first.\n#write lamp.js export const lit = true;\n#say Look at `lamp.js`:\n\n1. it is lit",
  );
  await agent(page)
    .getByText(/Look at/)
    .waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  await say(page, '#tool edit {"path":"lamp.js","oldText":"true","newText":"false"}\n#bash node --version\n#say done');
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  return id;
}

describe.skipIf(browser === null)("how the page looks", () => {
  beforeAll(async () => {
    world = await World.open(browser ?? "");
    sessionId = await filledSession();
  });
  afterAll(() => world.close());
  afterEach(() => world.endPages());

  test.each([
    ["light", 1280],
    ["light", 390],
    ["dark", 1280],
    ["dark", 390],
  ] as const)(
    "%s, %i pixels wide: nothing serious for a screen reader, nothing runs over the edge",
    async (theme, width) => {
      const page = await world.page({ viewport: { width, height: 800 }, colorScheme: theme, reducedMotion: "reduce" });
      for (const view of views) {
        await show(page, view);
        await page.screenshot({ path: join(pictures, `${view}-${theme}-${width}.png`) });
        expect([view, await seriousFindings(page)]).toEqual([view, []]);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([view, over]).toEqual([view, 0]);
      }
    },
  );

  test("2 000 messages: few are drawn, the end is shown, and scrolling up brings older ones in their order", async () => {
    const { id } = await world.host.import({ document: longDocument(2_000), agent: "demo", title: "Long" });
    const page = await world.page();
    await page.goto(`${world.url}/sessions/${id}`);
    await page.getByText("message 1999").waitFor();
    const log = page.getByRole("log", { name: "Messages" });
    for (const wanted of ["message 1930", "message 1870"]) {
      const found = page.getByText(wanted, { exact: true });
      await expect
        .poll(
          async () => {
            await log.evaluate((box) => {
              box.scrollTop = Math.max(0, box.scrollTop - 400);
            });
            return found.count();
          },
          { timeout: 20_000, interval: 50 },
        )
        .toBe(1);
    }
    expect(await page.locator("[data-message]").count()).toBeLessThan(80);
    const numbers = await page
      .locator("[data-message] p")
      .evaluateAll((rows) => rows.flatMap((row) => /message (\d+)/.exec(row.textContent ?? "")?.[1] ?? []).map(Number));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  test("the keyboard alone: from the list into a session, says something, and stops it", async () => {
    const page = await world.page();
    await page.getByRole("navigation", { name: "Sessions" }).getByRole("link").last().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/sessions/);
    await page.getByRole("textbox", { name: "Message" }).focus();
    await page.keyboard.type("a note");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("of two lines");
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("a note\nof two lines");
  });
});

async function show(page: Page, view: (typeof views)[number]): Promise<void> {
  const paths: Record<string, string> = { session: `/sessions/${sessionId}`, approvals: "/approvals", usage: "/usage" };
  const path = paths[view] ?? (view.startsWith("agent") ? "/agents" : "/");
  await page.goto(`${world.url}${path}`);
  if (view === "session") await page.getByRole("button", { name: "Allow once" }).waitFor();
  if (view === "approvals") await page.getByRole("button", { name: "Allow once" }).waitFor();
  if (view === "agents") await page.getByRole("heading", { name: "demo" }).waitFor();
  if (view === "usage") await page.getByRole("table").first().waitFor();
  if (view === "home") await page.getByRole("link", { name: /Mend the harbour light/ }).waitFor();
  if (view === "new-session") await page.getByRole("button", { name: "New", exact: true }).click();
  if (view === "agent-form") await page.getByRole("button", { name: "Add agent" }).click();
}
async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const findings = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as readonly Finding[];
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

/** A session of another host, as it is exported. */
function longDocument(count: number): string {
  const message = (n: number) => ({
    id: `m${n}`,
    parentId: n === 0 ? null : `m${n - 1}`,
    kind: "message",
    role: n % 2 === 0 ? "user" : "assistant",
    status: "completed",
    parts: [{ type: "text", text: `message ${n}` }],
    createdAt: 1_000 + n,
  });
  const session = { id: "long", title: null, leaf: `m${count - 1}` };
  const messages = Array.from({ length: count }, (_, n) => message(n));
  return JSON.stringify({ format: "mooring-session", version: 1, session, messages });
}
