/** Every bound of the session runtime, with its unit. */
export const runtimeLimits = {
  configBytes: 1_048_576, // of auth.json, models.json or settings.json
  loginMarginMs: 60_000, // before its end a login is due
  loginRefreshMs: 30_000, // for one refresh of a login
  contextFileBytes: 262_144, // of one context file or skill
  jsonlBytes: 67_108_864, // of a session file that is opened or imported
  jsonlEntries: 200_000, // lines of a session file
  directoryFiles: 10_000, // session files of a directory
  headerBytes: 65_536, // of a session file's first line, when files are listed
  pumpEvents: 4_096, // of a session, read ahead of the handlers that are slow
  deferredPrompts: 100, // made in handlers of agent_settled, waiting for them to end
  draftEntries: 10_000, // of a session that is not stored yet
  unsavedSessions: 100, // of a runtime, left before their first input
  rpcLineBytes: 33_554_432, // of one line on standard input
  extensionTools: 128, // of one extension, or of the program
  toolSchemaBytes: 65_536, // of the parameters of one tool, as JSON
  toolDetailsBytes: 65_536, // of the details of one result, as JSON
  dialogs: 50, // open at once in rpc mode
} as const;
