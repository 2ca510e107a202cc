/** What tells a database of ours, and which schema it has. Apart from the schema itself, which loads Kysely. */

/** "Moor", in the file's header. */
export const applicationId = 0x4d6f6f72;
/** In order. `migrations.ts` has one migration under each name. */
export const migrationNames = ["0001-sessions", "0002-files", "0003-rules", "0004-chat", "0005-compacting"] as const;
