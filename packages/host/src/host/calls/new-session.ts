/** Makes a session: agent, workspace and driver are checked, and a managed workspace exists, before there is a row. */
import { rm } from "node:fs/promises";
import type { Write } from "../../ports/store.ts";
import { codeOf, MooringError } from "../../protocol/errors.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { permissionModes } from "../../protocol/permission.ts";
import type { AgentRow, SessionRow } from "../../protocol/rows.ts";
import type { NewSession } from "../api.ts";
import { driverOf, SessionConfig } from "../connections/session-config.ts";
import type { HostContext } from "../host-context.ts";
import type { Found } from "../sessions/sessions.ts";
import { checkTitle } from "./title.ts";
import type { Workspace, Workspaces } from "./workspaces.ts";

/**
 * `contents`: stored with it, in one transaction. Rejects with `no-agent`, `no-such-agent`, `bad-session`,
 * `bad-workspace`, `session-exists`, or what the driver says is missing.
 */
export async function createSession(
  context: HostContext,
  workspaces: Workspaces,
  given: NewSession,
  contents: (row: SessionRow) => readonly Write[] = () => [],
): Promise<Found> {
  check(given);
  const agent = await agentFor(context, given.agent);
  if (given.id !== undefined && (await context.store.query.session(given.id))) throw exists(given.id);
  const id = context.ids.make("ses");
  const workspace = given.workspace === undefined ? await workspaces.make(id) : await workspaces.named(given.workspace);
  const row = rowOf(given, id, agent, workspace, context.clock.now());
  try {
    await validate(context, row);
    const no = await context.store.create(row, contents(row));
    context.feeds.announce(row.id);
    return { row, no };
  } catch (cause) {
    if (workspace.managed) await rm(workspace.path, { recursive: true, force: true });
    if (given.id !== undefined && codeOf(cause, "") === "constraint") throw exists(given.id); // another was faster
    throw cause;
  }
}
async function agentFor({ agents }: HostContext, named: string | undefined): Promise<AgentRow> {
  if (named !== undefined) return agents.get(named);
  const found = await agents.default();
  if (found) return found;
  throw new MooringError(
    "no-agent",
    "No agent is ready. Add one (agents.add, `mooring agents add`), or give one of the existing agents its credentials.",
  );
}
async function validate(context: HostContext, row: SessionRow): Promise<void> {
  await driverOf(context, row.driver).validateSession(new SessionConfig(context, row).facts());
}
function check({ id, title, permissionMode }: NewSession): void {
  checkTitle(title);
  if (id !== undefined && (!/^[A-Za-z0-9._-]{1,128}$/.test(id) || id.startsWith("ses_")))
    throw bad(
      "id",
      "A session's own id has 1 to 128 letters, digits, dots, dashes or underscores, and does not begin with ses_.",
    );
  if (permissionMode !== undefined && !permissionModes.includes(permissionMode))
    throw bad("permissionMode", `A permission mode is one of ${permissionModes.join(", ")}.`);
}
const bad = (field: string, message: string): MooringError =>
  new MooringError("bad-session", message, { detail: { field } });
const exists = (id: string): MooringError =>
  new MooringError("session-exists", `There is a session "${id}" already.`, { detail: { session: id } });

function rowOf(given: NewSession, id: SessionId, agent: AgentRow, workspace: Workspace, at: number): SessionRow {
  return {
    id,
    agentId: agent.id,
    workspace: workspace.path,
    managed: workspace.managed,
    title: given.title ?? null,
    externalId: given.id ?? null,
    permissionMode: given.permissionMode ?? null,
    parentId: null,
    leaf: null,
    driver: agent.driver,
    resumeToken: null,
    compacting: false,
    createdAt: at,
    updatedAt: at,
    removedAt: null,
  };
}
