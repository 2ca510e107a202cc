/** The order of trust. A move down binds the next tool call, a move up the next turn. */
export type PermissionMode = "plan" | "default" | "acceptEdits" | "bypassPermissions";
export const permissionModes: readonly PermissionMode[] = ["plan", "default", "acceptEdits", "bypassPermissions"];
