/** The page in a real browser over a real server: what people do with a session, and what they must see. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { NamedPipe } from "@mooring/host/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { agent, pictures, say, shown, World, words } from "./world.ts";

const browser = inject("chromium");
let world: World;
const slow = (count: number): string => `#slow 15 ${words(count)}`;

describe.skipIf(browser === null)("the page", () => {
  beforeAll(async () => {
    world = await World.open(browser ?? "");
  });
  afterAll(() => world.close());
  afterEach(() => world.endPages());

  test("a prompt writes a file and runs it; what the tool said is one press away", async () => {
    const page = await world.page();
    const id = await world.session(page);
    await say(page, "#write hello.js console.log(6*7)\n#bash node hello.js\n#say It **works**.");
    await agent(page).getByText("It works.").waitFor();
    await page.getByRole("button", { name: /bash.*node hello\.js.*done/ }).click();
    await page.getByText("42", { exact: true }).waitFor();
    const { workspace } = await world.host.get(id);
    expect(await readFile(join(workspace, "hello.js"), "utf8")).toBe("console.log(6*7)");
    await page.getByRole("heading", { name: /#write hello\.js/ }).waitFor(); // what was said first names it
    await page.screenshot({ path: join(pictures, "turn.png") });
  });

  test.each([
    ["before the first output", "#say one", null],
    ["in a tool", "#bash cat gate\n#say one", "gate"],
    ["in the last text", `${slow(40)}`, null],
  ])("a steer %s: the page, the store and the model agree on the order", async (when, prompt, pipe) => {
    const page = await world.page();
    const id = await world.session(page);
    const { workspace } = await world.host.get(id);
    const gate = pipe === null ? null : NamedPipe.make(join(workspace, pipe));
    const held = when.startsWith("before") ? world.hold() : null;
    await say(page, prompt);
    await (held
      ? held.reached
      : page
          .getByText(gate ? "running" : "w3.")
          .first()
          .waitFor());
    await page.getByRole("radio", { name: "Steer now" }).waitFor({ state: "attached" });
    await say(page, "#say mind the gap");
    await page.getByText("#say mind the gap").first().waitFor();
    held?.release();
    await gate?.write();
    await agent(page).getByText("mind the gap", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Send", exact: true }).waitFor();
    const stored = (await world.host.messages(id)).messages;
    expect((await shown(page)).map(({ role }) => role)).toEqual(stored.map(({ role }) => role));
    expect(stored.filter(({ role }) => role === "user").map(textOf)).toEqual([prompt, "#say mind the gap"]);
    const [first = ""] = prompt.split("\n");
    const told = [first, "#say mind the gap"];
    expect(world.toldToModel(told)).toEqual(told);
  });

  test("a reload in the middle of a turn shows every character once", async () => {
    const page = await world.page();
    await world.session(page);
    await say(page, slow(120));
    for (const seen of ["w10.", "w50."]) {
      await agent(page).getByText(seen).waitFor();
      await page.reload();
    }
    await agent(page).getByText("w119.").waitFor();
    const [, answer] = await shown(page);
    expect(answer?.text).toBe(words(120));
  });

  test("two tabs agree after each step, and either may answer, queue, edit and release", async () => {
    const one = await world.page();
    const id = await world.session(one, { agent: "demo" });
    const two = await world.tab(one.context());
    await two.goto(one.url());
    await say(one, "#bash echo asked > made.txt\n#say after");
    await Promise.all([one, two].map((tab) => tab.getByRole("button", { name: "Allow once" }).waitFor()));
    await two.getByRole("radio", { name: "Queue" }).check({ force: true });
    await say(two, "#say second");
    await one.getByRole("region", { name: "Queue" }).getByText("#say second").waitFor();
    await one.getByRole("button", { name: "Edit", exact: true }).last().click();
    await one.getByRole("textbox", { name: "What is to be said" }).fill("#say changed");
    await one.getByRole("button", { name: "Save" }).click();
    await two.getByRole("region", { name: "Queue" }).getByText("#say changed").waitFor();
    await two.getByRole("button", { name: "Allow once" }).click();
    for (const tab of [one, two]) await agent(tab).getByText("changed", { exact: true }).waitFor();
    expect(await shown(one)).toEqual(await shown(two));
    const { workspace } = await world.host.get(id);
    expect(await readFile(join(workspace, "made.txt"), "utf8")).toBe("asked\n");
  });

  test("a stop ends the turn and holds what waits; a release goes on", async () => {
    const page = await world.page();
    await world.session(page);
    await say(page, slow(400));
    await agent(page).getByText("w3.").waitFor();
    await page.getByRole("radio", { name: "Queue" }).check({ force: true });
    await say(page, "#say later");
    await page.getByText("queued").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("held: the last turn was stopped").waitFor();
    await page.getByText("Stopped", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("Stopped", { exact: true }).waitFor();
    await page.screenshot({ path: join(pictures, "held.png") });
    await page.getByRole("button", { name: "Release" }).click();
    await agent(page).getByText("later", { exact: true }).waitFor();
  });

  test("an approval is answered in the inbox of another tab, edited, and a denial says why", async () => {
    const page = await world.page();
    const id = await world.session(page, { agent: "demo" });
    await say(page, "#bash echo mine\n#bash echo other\n#say after");
    await page.getByRole("button", { name: "Allow once" }).waitFor();
    const inbox = await world.tab(page.context());
    await inbox.goto(`${world.url}/approvals`);
    await expect.poll(() => inbox.title()).toMatch(/^\(1\) Approvals/);
    await inbox.getByRole("button", { name: "Edit" }).click();
    await inbox.getByRole("textbox", { name: /What runs instead/ }).fill('{"command":"echo yours"}');
    await inbox.getByRole("button", { name: "Allow as edited" }).click();
    await inbox.getByRole("button", { name: "Deny…" }).click();
    await inbox.getByRole("textbox", { name: /Reason/ }).fill("not today");
    await inbox.getByRole("button", { name: "Deny", exact: true }).click();
    await inbox.getByText("Nothing waits for you.").waitFor();
    await agent(page).getByText("after", { exact: true }).waitFor();
    const calls = (await world.host.messages(id)).messages.flatMap(({ parts }) => parts);
    expect(calls.filter((part) => "toolCallId" in part)).toMatchObject([
      { state: "output-available", input: { command: "echo yours" } },
      { state: "output-denied", approval: { reason: "not today" } },
    ]);
  });

  test("sessions: made with a directory, found, renamed, forked, deleted, brought back", async () => {
    const page = await world.page();
    await page.getByRole("button", { name: "New", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "New session" });
    await dialog.getByRole("textbox", { name: /Title/ }).fill("Of the docks");
    await dialog.getByRole("button", { name: `Choose ${world.directory}`, exact: true }).click();
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Of the docks" }).waitFor();
    await say(page, "#say fork me");
    await agent(page).getByText("fork me", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Of the harbour");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    const list = page.getByRole("navigation", { name: "Sessions" });
    await list.getByText("Of the harbour").waitFor();
    await list.getByRole("searchbox").fill("harb");
    await expect.poll(() => list.getByRole("link").count()).toBe(1);
    const before = page.url();
    await page.getByRole("button", { name: "Fork here" }).last().click({ force: true });
    await page.waitForURL((url) => url.href !== before);
    await agent(page).getByText("fork me", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await agent(page).getByText("fork me", { exact: true }).waitFor();
  });

  test("files by picker: shown to the person, given to the agent", async () => {
    const page = await world.page();
    const id = await world.session(page);
    const picker = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach a file" }).click();
    const png = Buffer.from(pixel, "base64");
    await (await picker).setFiles({ name: "dot.png", mimeType: "image/png", buffer: png });
    await page.getByText("dot.png").waitFor();
    await say(page, "#say seen");
    await agent(page).getByText("seen", { exact: true }).waitFor();
    const image = page.getByRole("img", { name: "dot.png" });
    await expect.poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth)).toBe(1);
    const [first] = (await world.host.messages(id)).messages;
    expect(first?.parts).toMatchObject([{ text: "#say seen" }, { type: "file", url: /^mooring:file\// }]);
  });
});

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const textOf = ({ parts }: { readonly parts: readonly { readonly type: string }[] }): string =>
  parts.map((part) => ("text" in part ? String(part.text) : "")).join("");
