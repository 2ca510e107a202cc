/** What people's hands do beside typing: files dropped and pasted, the keyboard alone; and a server killed under them. */
import { join } from "node:path";
import type { JSHandle, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { sandbox } from "../../packages/cli/src/testing/sandbox.ts";
import { agent, pictures, say, shown, World, words } from "./world.ts";

const browser = inject("chromium");
/** Presses of Tab until it is found; more than there are controls on a view. */
const mostTabs = 60;
let world: World;

describe.skipIf(browser === null)("hands", () => {
  beforeAll(async () => {
    world = await World.open(browser ?? "");
  });
  afterAll(() => world.close());
  afterEach(() => world.endPages());

  test("a file dropped anywhere and one pasted are shown, and given to the agent", async () => {
    const page = await world.page();
    const id = await world.session(page);
    await page.getByRole("region", { name: "Conversation" }).dispatchEvent("drop", {
      dataTransfer: await transfer(page, "dropped.png"),
    });
    await page.getByText("dropped.png").waitFor();
    await paste(page, "pasted.png");
    await page.getByText("pasted.png").waitFor();
    await say(page, "#say seen");
    await agent(page).getByText("seen", { exact: true }).waitFor();
    for (const name of ["dropped.png", "pasted.png"]) {
      const image = page.getByRole("img", { name });
      await expect.poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth)).toBe(1);
    }
    const [first] = (await world.host.messages(id)).messages;
    expect(first?.parts).toMatchObject([{ text: "#say seen" }, { type: "file" }, { type: "file" }]);
  });

  test("a bad file is said, a failed upload too, and what was written is not lost", async () => {
    const page = await world.page();
    await world.session(page);
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("#say kept");
    await paste(page, "empty.png", "");
    await page
      .getByRole("region", { name: "Notices" })
      .getByText(/empty\.png is empty/)
      .waitFor();
    await paste(page, "dot.png");
    await page.getByText("dot.png").waitFor();
    await page.route("**/v1/files*", (route) => route.fulfill({ status: 507, body: "full" }));
    await box.press("Enter");
    await expect.poll(() => page.getByRole("region", { name: "Notices" }).getByRole("button").count()).toBe(2);
    await expect.poll(() => box.inputValue()).toBe("#say kept");
    await page.unroute("**/v1/files*");
    await page.route("**/inputs", (route) => route.fulfill({ status: 507, body: "full" }));
    await box.press("Enter");
    await expect.poll(() => page.getByRole("region", { name: "Notices" }).getByRole("button").count()).toBe(3);
    await expect.poll(() => box.inputValue()).toBe("#say kept");
    await page.unroute("**/inputs");
    await box.press("Enter");
    await agent(page).getByText("kept", { exact: true }).waitFor();
  });

  test("the keyboard alone: a new session, a prompt, a steer, an approval, a stop; each is read out", async () => {
    const page = await world.page();
    const told = page.locator("[data-announcement]");
    await tabTo(page, "New");
    await page.keyboard.press("Enter");
    await tabTo(page, "Create");
    await page.keyboard.press("Enter");
    await page.waitForURL(/sessions/);
    await tabTo(page, "Message");
    await type(page, [`#slow 30 ${words(60)}`, "#bash echo hi", `#slow 30 ${words(900)}`]);
    await agent(page).getByText("w3.").waitFor();
    await expect.poll(() => told.textContent()).toBe("The agent works.");
    await type(page, ["mind the gap"]);
    await page.locator('[data-role="user"]').getByText("mind the gap").waitFor();
    await page.getByRole("button", { name: "Allow once" }).waitFor();
    await expect.poll(() => told.textContent()).toBe("bash asks to run: echo hi");
    await tabTo(page, "Allow once");
    expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
      "solid",
    );
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /bash.*done/ }).waitFor();
    await tabTo(page, "Stop");
    await page.keyboard.press("Enter");
    await expect.poll(() => told.textContent()).toBe("The turn was stopped.");
  });

  test("the server is killed under an open page: said, healed, nothing lost, and the page is what is stored", async () => {
    const { start } = await sandbox();
    const server = start(["serve", "--port", "0"]);
    const address = /http:\/\/\S+\/login\?code=\S+/.exec(await server.until(/login\?code=\S+\s/))?.[0] ?? "";
    const page = await world.strange();
    await page.goto(address);
    await page.getByText("Begin your first session").waitFor();
    await page.screenshot({ path: join(pictures, "first-start.png") });
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/sessions/);
    const id = page.url().split("/").at(-1) ?? "";
    await say(page, `#slow 20 ${words(3_000)}`);
    await agent(page).getByText("w9.").waitFor();
    await page.getByRole("radio", { name: "Queue" }).check({ force: true });
    await say(page, "#say later");
    await page.getByRole("region", { name: "Queue" }).getByText("#say later").waitFor();
    await server.kill("SIGKILL");
    await page.getByText(/Connection lost/).waitFor();
    await page.screenshot({ path: join(pictures, "lost.png") });
    start(["serve", "--port", new URL(address).port]);
    await page.getByText(/^Interrupted/).waitFor();
    await page.getByRole("button", { name: "Release" }).click();
    await agent(page).getByText("later", { exact: true }).waitFor();
    await expect.poll(() => page.getByText(/Connection lost/).count()).toBe(0);
    const rows = await page.evaluate(async (session) => {
      const answer = await fetch(`/v1/sessions/${session}/messages`);
      const { messages } = (await answer.json()) as { messages: { role: string; parts: { text?: string }[] }[] };
      return messages.map(({ role, parts }) => ({ role, text: parts.map(({ text = "" }) => text).join("") }));
    }, id);
    expect(rows.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect((await shown(page)).map(({ role, text }) => [role, text.trim()])).toEqual(
      rows.map(({ role, text }) => [role, text.trim()]),
    );
  });
});

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** What the browser hands over with a drop or a paste. */
const transfer = (page: Page, name: string, content = pixel): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(
    ([title, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], title, { type: "image/png" }));
      return data;
    },
    [name, content] as const,
  );
async function paste(page: Page, name: string, content = pixel): Promise<void> {
  const data = await transfer(page, name, content);
  await page.getByRole("textbox", { name: "Message" }).evaluate((box, clipboardData) => {
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}
/** Lines of one message, sent with the last. */
async function type(page: Page, lines: readonly string[]): Promise<void> {
  for (const [place, line] of lines.entries()) {
    if (place > 0) await page.keyboard.press("Shift+Enter");
    await page.keyboard.insertText(line);
  }
  await page.keyboard.press("Enter");
}
/** With the Tab key alone. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  while (seen.length < mostTabs && seen.at(-1) !== name) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const node = document.activeElement;
      return node?.getAttribute("aria-label") ?? node?.textContent?.trim() ?? "";
    });
    seen.push(focused);
  }
  expect(seen.at(-1), `what Tab reached: ${seen.join(" | ")}`).toBe(name);
}
