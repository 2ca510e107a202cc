/** What a screen reader's user would trip over on a page, as axe-core finds it. */
import axe from "axe-core";
import type { Page } from "playwright-core";

type Finding = {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
};

/** Serious and critical ones, each with the elements it is about. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const findings = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as readonly Finding[];
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}
