/** Every view of the page as people meet it: in both themes, wide and narrow, and with a screen reader. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { seriousFindings } from "./serious-findings.ts";
import { agent, pictures, say, World } from "./world.ts";

const browser = inject("chromium");
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
        if (width === 1280 || theme === "light") expect([view, await seriousFindings(page)]).toEqual([view, []]);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([view, over]).toEqual([view, 0]);
      }
    },
  );
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
