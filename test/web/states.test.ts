/** What people meet when something is under way or went wrong: shown in both themes, wide and narrow, and read aloud. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { seriousFindings } from "./serious-findings.ts";
import { agent, pictures, say, World } from "./world.ts";

const browser = inject("chromium");
/** One red pixel. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
let world: World;

describe.skipIf(browser === null)("states of a session", () => {
  beforeAll(async () => {
    world = await World.open(browser ?? "");
  });
  afterAll(() => world.close());
  afterEach(() => world.endPages());

  test("a turn that failed says why, also after a reload, and the list says so", async () => {
    const page = await world.page();
    await world.session(page, { agent: "free", title: "Failing" });
    await say(page, "#bash echo before\n#status 400 x1 the model is overloaded with wishes\n#say never");
    await page.getByText(/The turn failed: .*overloaded with wishes/).waitFor();
    await page.reload();
    await page.getByText(/The turn failed: .*overloaded with wishes/).waitFor();
    await page.getByRole("link", { name: /Failing.*Failed/ }).waitFor();
    await look(page, "failed");
    await say(page, "#say better");
    await agent(page).getByText("better", { exact: true }).waitFor();
    await page.getByRole("link", { name: /Failing.*Idle/ }).waitFor();
  });

  test("what a turn took is there after a reload; terminal output, a diff and a summary can be read", async () => {
    const page = await world.page();
    const id = await world.session(page, { agent: "free", title: "Many things" });
    await say(page, "#write a.txt one\\ntwo\\nthree\n#say written");
    await agent(page).getByText("written", { exact: true }).waitFor();
    await say(
      page,
      '#tool edit {"path":"a.txt","oldText":"two","newText":"2"}\n#bash seq 1 30; echo oops >&2\n#say read',
    );
    await agent(page).getByText("read", { exact: true }).waitFor();
    await page
      .getByText(/\d in · \d+ out/)
      .last()
      .waitFor();
    await world.host.compact(id);
    await page.getByText("Earlier messages were summarized to make room.").waitFor();
    await page.reload();
    await page
      .getByText(/\d in · \d+ out/)
      .last()
      .waitFor();
    const folded = page.getByRole("button", { expanded: false }).filter({ hasText: /edit|bash|write/ });
    while ((await folded.count()) > 0) await folded.first().click();
    await look(page, "tools");
  });

  test("three wait behind a turn, with a picture among them, and can be put in another order by keys", async () => {
    const page = await world.page();
    await world.session(page, { agent: "free", title: "A queue" });
    const gate = world.hold();
    await say(page, "#say first");
    await gate.reached;
    await page.getByRole("radio", { name: "Queue" }).check({ force: true });
    for (const text of ["#say second", "#say third"]) await say(page, text);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Attach a file" }).click(),
    ]);
    await chooser.setFiles({ name: "red.png", mimeType: "image/png", buffer: Buffer.from(picture, "base64") });
    await page.getByText("red.png").waitFor();
    await say(page, "#say fourth");
    const queue = page.getByRole("region", { name: "Queue" });
    await queue.getByText("#say fourth").waitFor();
    await look(page, "queue");
    await queue.getByRole("button", { name: "Earlier" }).last().press("Enter");
    await expect
      .poll(async () => (await queue.textContent())?.match(/second|third|fourth/g))
      .toEqual(["second", "fourth", "third"]);
    gate.release();
    await agent(page).getByText("third", { exact: true }).waitFor();
  });
});

/** The page as it is now, pictured in both themes, wide and narrow. */
async function look(page: Page, name: string): Promise<void> {
  for (const width of [1280, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${width}.png`) });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([name, width, over]).toEqual([name, width, 0]);
    }
  expect([name, await seriousFindings(page)]).toEqual([name, []]);
  await page.setViewportSize({ width: 1280, height: 800 });
}
