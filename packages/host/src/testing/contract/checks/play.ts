/** Steps that several checks share. */
import type { Link, Sent } from "../link.ts";
import type { ContractScene } from "../scene.ts";

/** A turn that says the text and completes. */
export async function sayWhole(scene: ContractScene, link: Link, text: string): Promise<Sent> {
  const sent = await link.send(scenarioText(scene, text));
  const end = await link.end(sent.turnId);
  scene.must(end.type === "turn-complete" && end.outcome === "completed", `the turn ended with ${JSON.stringify(end)}`);
  scene.must(link.said(sent.turnId).trim() === text, `"${text}" was told as "${link.said(sent.turnId)}"`);
  return sent;
}
export const scenarioText = (scene: ContractScene, text: string): string => scene.scenario("text")(text).prompt;

/** Begins a slow text and resolves when its first words came. */
export async function beginText(scene: ContractScene, link: Link): Promise<Sent> {
  const sent = await link.send(scene.scenario("slowText")().prompt);
  await link.chunk(sent.turnId, "text-delta");
  return sent;
}

/** Ends a turn as a person's stop does: by the interrupt, or by closing where the agent has none. */
export async function stop(scene: ContractScene, link: Link, { turnId }: Sent): Promise<void> {
  const answer = await link.abort(turnId);
  if (answer === "unsupported") {
    await link.close("stop");
    return;
  }
  scene.must(answer === "aborted", `a stop of a running turn was answered with ${answer}`);
  const end = await link.end(turnId);
  scene.must(end.type === "turn-complete" && end.outcome === "stopped", `it ended with ${JSON.stringify(end)}`);
}

/** Completed, with whatever was said. */
export async function completed(scene: ContractScene, link: Link, { turnId }: Sent): Promise<void> {
  const end = await link.end(turnId);
  scene.must(end.type === "turn-complete" && end.outcome === "completed", `it ended with ${JSON.stringify(end)}`);
}
