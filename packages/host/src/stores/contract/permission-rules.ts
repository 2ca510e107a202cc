/** Rules of permission: who may write them, what goes with what. */
import { expect, test } from "vitest";
import type { RuleRow } from "../../protocol/permission.ts";
import { agentRow, approvalRow, codes, newOwner, type OpenStore, ruleRow } from "./fixtures.ts";

const everyKind: readonly RuleRow[] = [
  ruleRow("rul_1"),
  ruleRow("rul_2", { scope: "agent", agentId: "agt_1", effect: "deny", pattern: null }),
  ruleRow("rul_3", { scope: "session", sessionId: "ses_1", approvalId: "apr_1", createdAt: 2_000 }),
];

export function permissionRules(open: OpenStore): void {
  test("rules are listed as they were stored, oldest first, whoever wrote them", async () => {
    const store = await open();
    const owner = await newOwner(store, "ses_1");
    const [host, agent, session] = everyKind;
    if (!host || !agent || !session) return expect.unreachable();
    await owner.write({ write: "rule", row: session });
    await store.change([
      { write: "rule", row: host },
      { write: "rule", row: agent },
    ]);
    expect(await store.query.rules()).toEqual(everyKind);
  });

  test("a rule is inserted once, and removed", async () => {
    const store = await open();
    const owner = await newOwner(store, "ses_1");
    await store.change([{ write: "rule", row: ruleRow("rul_1") }]);
    await store.change([{ write: "rule", row: ruleRow("rul_1", { effect: "deny" }) }]);
    await owner.write({ write: "rule", row: ruleRow("rul_1", { by: "other" }) });
    expect(await store.query.rules()).toEqual([ruleRow("rul_1")]);
    await store.change([{ write: "rule-remove", id: "rul_1" }]);
    await store.change([{ write: "rule-remove", id: "rul_1" }]);
    expect(await store.query.rules()).toEqual([]);
  });

  test("the rule of an answer is stored with the answer, or not at all", async () => {
    const store = await open();
    const owner = await newOwner(store, "ses_1");
    await owner.write({ write: "approval", row: approvalRow("apr_1", "ses_1") });
    const answer = { decision: "allow", input: null, reason: null, by: "me" } as const;
    const answered = () =>
      owner.write(
        { write: "rule", row: ruleRow("rul_1", { approvalId: "apr_1" }) },
        { write: "approval-close", id: "apr_1", set: { how: "allow", answer, closedAt: 5 } },
      );
    await answered();
    await store.change([{ write: "rule-remove", id: "rul_1" }]);
    expect(await codes([answered()])).toEqual(["constraint"]); // it is answered: nothing of this write is stored
    expect(await store.query.rules()).toEqual([]);
  });

  test("rules go with their session and with their agent, and no other", async () => {
    const store = await open();
    await newOwner(store, "ses_1");
    await newOwner(store, "ses_2");
    const other = ruleRow("rul_4", { scope: "session", sessionId: "ses_2" });
    await store.change([{ write: "agent", row: agentRow("agt_1") }]);
    await store.change([...everyKind, other].map((row) => ({ write: "rule", row })));
    await store.change([{ write: "session-remove", id: "ses_1" }]);
    const left = async () => (await store.query.rules()).map(({ id }) => id);
    expect(await left()).toEqual(["rul_1", "rul_2", "rul_4"]);
    await store.change([{ write: "agent-remove", id: "agt_1" }]);
    expect(await left()).toEqual(["rul_1", "rul_4"]);
    expect(await store.query.agents()).toEqual([]);
  });

  test("why a question was asked is kept with it, also that nobody knows", async () => {
    const store = await open();
    const owner = await newOwner(store, "ses_1");
    const known = approvalRow("apr_1", "ses_1");
    const unknown = approvalRow("apr_2", "ses_1", { asked: null });
    await owner.write({ write: "approval", row: known }, { write: "approval", row: unknown });
    expect(await store.query.approval("apr_1")).toEqual(known);
    expect(await store.query.approval("apr_2")).toEqual(unknown);
    expect((await store.load(owner.no)).openApprovals).toEqual([known, unknown]);
  });
}
