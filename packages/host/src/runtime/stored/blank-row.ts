/** What a row of a session file or of a draft has nothing of. */
export const blankRow = {
  turnId: null,
  inputId: null,
  ordinal: null,
  model: null,
  author: null,
  originId: null,
  timing: null,
} as const;
