/** The file is whole, and the conversation in it is one branch: these tests never fork. */
import { found, type Rule } from "./evidence.ts";
import type { Stored, StoredMessage, StoredSession } from "./stored.ts";

const whole: Rule = ({ stored: { integrity } }) =>
  found("the database is whole", integrity === "ok" ? [] : [integrity]);

const parents: Rule = ({ stored }) => {
  const known = new Set(stored.messages.filter(isThere).map(({ session, id }) => `${session} ${id}`));
  const orphans = stored.messages.filter(
    ({ session, parentId, status }) =>
      status !== "dropped" && parentId !== null && !known.has(`${session} ${parentId}`),
  );
  return found(
    "a message has its parent",
    orphans.map(({ id, parentId }) => `${id} hangs below ${parentId}`),
  );
};
const isThere = ({ status }: StoredMessage): boolean => status !== "dropped";

const oneBranch: Rule = ({ stored }) => {
  const lost = stored.sessions.flatMap((session) => {
    const branch = branchOf(stored, session);
    return stored.messages
      .filter((m) => m.session === session.no && m.kind === "message" && isThere(m) && !branch.has(m.id))
      .map(({ id }) => `${session.id}: ${id}`);
  });
  return found("every message is on the branch that is shown", lost);
};

function branchOf({ messages }: Stored, { no, leaf }: StoredSession): ReadonlySet<string> {
  const byId = new Map(messages.filter((m) => m.session === no && isThere(m)).map((m) => [m.id, m]));
  const branch = new Set<string>();
  for (let at = byId.get(leaf ?? ""); at && !branch.has(at.id); at = byId.get(at.parentId ?? "")) branch.add(at.id);
  return branch;
}

export const treeRules: readonly Rule[] = [whole, parents, oneBranch];
