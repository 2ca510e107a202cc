/**
 * A session of 2 000 messages in a real browser: how soon its end is on the screen, and how it scrolls. Times depend on
 * the machine and what else it does: they are printed, and compared with those of a short session in the same run.
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { World } from "./world.ts";

const browser = inject("chromium");
/** As often as a session is opened; the quickest counts, the rest is what else the machine did. */
const tries = 3;
/** Milliseconds of a frame that people notice. */
const longFrame = 50;
let world: World;

describe.skipIf(browser === null)("a long session", () => {
  beforeAll(async () => {
    world = await World.open(browser ?? "");
  });
  afterAll(() => world.close());
  afterEach(() => world.endPages());

  test("it opens about as soon as a short one, at its end", async () => {
    const page = await world.page();
    const [short, long] = [await imported(2), await imported(2_000)];
    const times: { short: number; long: number } = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY };
    for (let n = 0; n < tries; n += 1) {
      times.short = Math.min(times.short, await openingTime(page, short, "message 1"));
      times.long = Math.min(times.long, await openingTime(page, long, "message 1999"));
    }
    console.log(`opened: 2 messages ${Math.round(times.short)} ms, 2 000 messages ${Math.round(times.long)} ms`);
    expect(times.long).toBeLessThan(times.short * 4);
  });

  test("few messages are drawn, and scrolling up brings older ones in their order, in frames that keep up", async () => {
    const page = await world.page();
    await page.goto(`${world.url}/sessions/${await imported(2_000)}`);
    await page.getByText("message 1999").waitFor();
    const frames = await scrolledUp(page, 90);
    const long = frames.filter((ms) => ms > longFrame).length;
    console.log(`scrolled: ${frames.length} frames, ${long} of them over ${longFrame} ms`);
    expect(long).toBeLessThan(frames.length / 2);
    const log = page.getByRole("log", { name: "Messages" });
    for (const wanted of ["message 1930", "message 1870"]) {
      const found = page.getByText(wanted, { exact: true });
      const up = async (): Promise<number> => {
        await log.evaluate((box) => {
          box.scrollTop = Math.max(0, box.scrollTop - 400);
        });
        return found.count();
      };
      await expect.poll(up, { timeout: 20_000, interval: 50 }).toBe(1);
    }
    expect(await page.locator("[data-message]").count()).toBeLessThan(80);
    const numbers = await page
      .locator("[data-message] p")
      .evaluateAll((rows) => rows.flatMap((row) => /message (\d+)/.exec(row.textContent ?? "")?.[1] ?? []).map(Number));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });
});

async function imported(count: number): Promise<string> {
  return (await world.host.import({ document: exportedSession(count), agent: "demo", title: `Of ${count}` })).id;
}

/** Milliseconds from the navigation until the frame after the one that shows the text. */
async function openingTime(page: Page, id: string, text: string): Promise<number> {
  await page.goto(`${world.url}/sessions/${id}`, { waitUntil: "commit" });
  const found = await page.waitForFunction(
    (wanted) => {
      const shown = [...document.querySelectorAll("[data-message] p")].some((row) => row.textContent === wanted);
      return shown ? performance.now() : false;
    },
    text,
    { polling: "raf" },
  );
  return (await found.jsonValue()) || Number.POSITIVE_INFINITY;
}

/** Milliseconds of each frame while the list moves by a little in every one. */
const scrolledUp = (page: Page, frames: number): Promise<readonly number[]> =>
  page.getByRole("log", { name: "Messages" }).evaluate(
    (box, most) =>
      new Promise<number[]>((resolve) => {
        const took: number[] = [];
        let before = performance.now();
        const next = (): void => {
          const now = performance.now();
          took.push(now - before);
          before = now;
          box.scrollTop -= 30;
          if (took.length < most) requestAnimationFrame(next);
          else resolve(took);
        };
        requestAnimationFrame(next);
      }),
    frames,
  );

/** A session of another host, as it is exported. */
function exportedSession(count: number): string {
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
