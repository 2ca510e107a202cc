/** Checks of what the host's policy and a person decide about tool calls. */
import type { ApprovalDecision, PolicyDecision } from "../../../ports/driver.ts";
import { checksOf } from "../check.ts";
import type { Link, Named, Sent } from "../link.ts";
import type { Scenarios } from "../scenarios.ts";
import type { ContractScene } from "../scene.ts";
import { outcomesOf } from "./parts.ts";
import { completed, sayWhole, stop } from "./play.ts";

type Request = Named<"tool-approval-request">;
type Asked = {
  readonly link: Link;
  readonly sent: Sent;
  readonly request: Request;
  readonly act: ReturnType<Scenarios["tool"]>;
};
const deny: ApprovalDecision = { decision: "deny", reason: "Not today." };
const allow: ApprovalDecision = { decision: "allow" };

/** A turn that waits for a person's decision about its one call. */
async function ask(scene: ContractScene): Promise<Asked> {
  scene.decide = async () => "ask";
  const link = await scene.connect();
  const act = scene.scenario("tool")();
  const sent = await link.send(act.prompt);
  return { link, sent, act, request: await link.next("tool-approval-request") };
}
/** A turn with one call under this policy; its outcome and how often the tool ran. */
async function decided(scene: ContractScene, decide: () => Promise<PolicyDecision>) {
  scene.decide = decide;
  const link = await scene.connect();
  const act = scene.scenario("tool")();
  const sent = await link.send(act.prompt);
  const end = await link.end(sent.turnId);
  return { link, sent, end, ran: await act.ran() };
}
function mustNotHaveRun(scene: ContractScene, link: Link, sent: Sent, ran: number): void {
  scene.must(ran === 0, "the call ran");
  const ends = [...outcomesOf(link, sent).values()].flat();
  scene.must(ends.length > 0 && !ends.includes("tool-output-available"), `the call ended as ${ends.join(", ")}`);
}

async function afterReconnect(scene: ContractScene, decision: ApprovalDecision): Promise<Asked> {
  const { link, sent, act, request } = await ask(scene);
  scene.must(request.durable, "the question is not durable though that is claimed");
  await link.close("waiting");
  scene.branch.waits();
  const { approvalId, toolCallId, toolName, input } = request;
  const waiting = { turnId: sent.turnId, approvals: [{ approvalId, toolCallId, toolName, input }] };
  const next = await scene.connect({ waiting, resumeToken: link.token });
  const again = await next.next("tool-approval-request");
  scene.must(again.approvalId === approvalId, `it was asked again as ${again.approvalId}`);
  scene.must(again.turnId === sent.turnId, `it was asked again in turn ${again.turnId}`);
  scene.must((await act.ran()) === 0, "the call ran before the answer");
  await next.answer(approvalId, decision);
  await completed(scene, next, sent);
  return { link: next, sent, act, request: again };
}

export const approvalChecks = checksOf({
  "approval/policy": async (scene) => {
    const link = await scene.connect();
    const act = scene.scenario("tool")();
    const ranBefore: number[] = [];
    scene.decide = async () => {
      ranBefore.push(await act.ran());
      return "allow";
    };
    const sent = await link.send(act.prompt);
    await completed(scene, link, sent);
    scene.must(ranBefore.join() === "0", `asked ${ranBefore.length} times, with ${ranBefore.join()} runs before`);
    const [call] = link.chunks(sent.turnId, "tool-input-available");
    const [asked] = scene.calls;
    scene.must(asked?.toolCallId === call?.toolCallId, `it was asked about call ${asked?.toolCallId}`);
    scene.must(asked?.toolName === act.toolName, `it was asked about ${asked?.toolName}`);
    scene.must(asked?.turnId === sent.turnId, `it was asked for turn ${asked?.turnId}`);
  },

  "approval/policy-denies": async (scene) => {
    const { link, sent, end, ran } = await decided(scene, async () => ({ deny: "Not in this session." }));
    mustNotHaveRun(scene, link, sent, ran);
    scene.must(end.type === "turn-complete" && end.outcome === "completed", `it ended with ${JSON.stringify(end)}`);
  },

  "approval/fails-closed": async (scene) => {
    const fail = () => Promise.reject(new TypeError("the policy is out of order"));
    const { link, sent, ran } = await decided(scene, fail);
    mustNotHaveRun(scene, link, sent, ran);
  },

  "approval/asked": async (scene) => {
    const { link, sent, act, request } = await ask(scene);
    scene.must(request.turnId === sent.turnId, `it is of turn ${request.turnId}`);
    scene.must(request.toolName === act.toolName, `it is about ${request.toolName}`);
    const shown = link.chunks(sent.turnId, "tool-input-available").map(({ toolCallId }) => toolCallId);
    scene.must(shown.includes(request.toolCallId), "its call was not shown with its input before");
    scene.must((await act.ran()) === 0, "the call did not wait");
    const isHonest = !request.durable || scene.capabilities.durableApproval;
    scene.must(isHonest, "it says durable, which is not claimed");
    await link.answer(request.approvalId, deny);
    await completed(scene, link, sent);
  },

  "approval/allowed": async (scene) => {
    const { link, sent, act, request } = await ask(scene);
    await link.answer(request.approvalId, allow);
    await completed(scene, link, sent);
    scene.must((await act.ran()) === 1, `the call ran ${await act.ran()} times`);
    const ends = [...outcomesOf(link, sent).values()].flat();
    scene.must(ends.join() === "tool-output-available", `the call ended as ${ends.join(", ")}`);
  },

  "approval/edited": async (scene) => {
    const { link, sent, act, request } = await ask(scene);
    const { edit } = act;
    if (edit === undefined) return link.answer(request.approvalId, deny);
    await link.answer(request.approvalId, { decision: "allow", input: edit.input });
    await completed(scene, link, sent);
    const [edited, asAsked] = [await edit.ran(), await act.ran()];
    scene.must(edited === 1 && asAsked === 0, `it ran ${edited} times as edited and ${asAsked} times as asked`);
  },

  "approval/denied": async (scene) => {
    const { link, sent, act, request } = await ask(scene);
    await link.answer(request.approvalId, deny);
    await completed(scene, link, sent);
    mustNotHaveRun(scene, link, sent, await act.ran());
    scene.must(link.said(sent.turnId) !== "", "the agent did not go on");
  },

  "approval/two": async (scene) => {
    scene.decide = async () => "ask";
    const link = await scene.connect();
    const act = scene.scenario("twoTools")();
    const sent = await link.send(act.prompt);
    const first = await link.next("tool-approval-request");
    const other = (): Promise<Request> =>
      link.find("the second question", (event): event is Request => {
        return event.type === "tool-approval-request" && event.approvalId !== first.approvalId;
      });
    if (act.together === true) await link.answer((await other()).approvalId, deny);
    await link.answer(first.approvalId, allow);
    if (act.together !== true) await link.answer((await other()).approvalId, deny);
    await completed(scene, link, sent);
    scene.must((await act.ran()) === 1, `${await act.ran()} calls ran; one was allowed and one denied`);
    const ends = outcomesOf(link, sent);
    scene.must(ends.get(first.toolCallId)?.join() === "tool-output-available", "the allowed one has no output");
    const questions = link.all("tool-approval-request").map(({ approvalId }) => approvalId);
    scene.must(questions.length === 2, `${questions.length} questions were asked`);
  },

  "approval/withdrawn": async (scene) => {
    const { link, sent, request } = await ask(scene);
    await stop(scene, link, sent);
    if (link.isOver) return;
    const withdrawn = link.all("approval-withdrawn").map(({ approvalId }) => approvalId);
    scene.must(withdrawn.join() === request.approvalId, `withdrawn: ${withdrawn.join(", ") || "nothing"}`);
  },

  "approval/unknown": async (scene) => {
    const { link, sent, act, request } = await ask(scene);
    await scene.rejection("an answer to nothing", link.connection.answerApproval("apr_nobody", allow));
    scene.must((await act.ran()) === 0, "the call ran by an answer to another question");
    await link.answer(request.approvalId, deny);
    await completed(scene, link, sent);
    await scene.rejection("a second answer", link.connection.answerApproval(request.approvalId, allow));
    await sayWhole(scene, link, "and on");
    scene.must((await act.ran()) === 0, "the call ran after all");
  },

  "approval/durable-allowed": async (scene) => {
    const { act } = await afterReconnect(scene, allow);
    scene.must((await act.ran()) === 1, `the call ran ${await act.ran()} times`);
  },

  "approval/durable-denied": async (scene) => {
    const { link, sent, act } = await afterReconnect(scene, deny);
    mustNotHaveRun(scene, link, sent, await act.ran());
  },
});
