/** Checks of what a live connection makes of an agent that was changed. */
import type { ReconcileVerdict } from "../../../ports/driver.ts";
import { checksOf } from "../check.ts";
import type { ContractScene } from "../scene.ts";
import { beginText, completed, sayWhole, stop } from "./play.ts";

function mustFollow(scene: ContractScene, verdict: ReconcileVerdict, isLive: boolean): void {
  scene.must(verdict === (isLive ? "patched" : "rebuild"), `the verdict is ${verdict}`);
}

export const reconcileChecks = checksOf({
  "reconcile/current": async (scene) => {
    const link = await scene.connect();
    const verdict = await link.reconcile(scene.target);
    scene.must(verdict === "current", `the verdict is ${verdict}`);
    await sayWhole(scene, link, "as before");
    scene.must((await link.reconcile(scene.target)) === "current", "after a turn it is not current any more");
  },

  "reconcile/model": async (scene) => {
    const link = await scene.connect();
    await sayWhole(scene, link, "before");
    const model = scene.scenario("otherModel")();
    const verdict = await link.reconcile({ ...scene.target, model });
    mustFollow(scene, verdict, scene.capabilities.liveModel);
    if (verdict !== "patched") return;
    await sayWhole(scene, link, "after");
    const asked = (await scene.stage.lastRequest()).model;
    scene.must(asked === null || asked === model, `the next turn used ${asked}`);
  },

  "reconcile/mode": async (scene) => {
    const other = scene.capabilities.modes.find((mode) => mode !== scene.target.permissionMode);
    if (other === undefined) return;
    const link = await scene.connect();
    const verdict = await link.reconcile({ ...scene.target, permissionMode: other });
    mustFollow(scene, verdict, scene.capabilities.liveMode);
    await sayWhole(scene, link, "in another mode");
  },

  "reconcile/prompt": async (scene) => {
    const link = await scene.connect();
    const verdict = await link.reconcile({ ...scene.target, prompt: { base: null, append: `Mind ${scene.marker}.` } });
    scene.must(verdict === "patched" || verdict === "rebuild", `the verdict is ${verdict}`);
    if (verdict !== "patched") return;
    await sayWhole(scene, link, "with a new prompt");
    scene.must((await scene.timesTold()) > 0, "it was patched, and the model was not given it");
  },

  "reconcile/invalid": async (scene) => {
    const link = await scene.connect();
    const verdict = await link.reconcile({ ...scene.target, ...scene.scenario("invalidTarget")() });
    scene.must(verdict === "invalid" || verdict === "failed", `the verdict is ${verdict}`);
    if (verdict === "invalid") await sayWhole(scene, link, "as before");
  },

  "reconcile/disabled-tool": async (scene) => {
    const link = await scene.connect();
    const act = scene.scenario("heldThenTool")();
    const sent = await link.send(act.prompt);
    await scene.deadline.within("the tool to be at work", act.started(), () => link.story);
    const verdict = await link.reconcile({ ...scene.target, disabledTools: [act.toolName] });
    if (verdict === "rebuild") return stop(scene, link, sent);
    scene.must(verdict === "patched" || verdict === "current", `the verdict is ${verdict}`);
    await act.release();
    await link.end(sent.turnId);
    scene.must((await act.ran()) === 0, "the next call of the disabled tool ran");
  },

  "reconcile/during-turn": async (scene) => {
    const link = await scene.connect();
    const sent = await beginText(scene, link);
    const verdict = await link.reconcile(scene.target);
    scene.must(verdict === "current", `the verdict is ${verdict}`);
    await completed(scene, link, sent);
  },
});
