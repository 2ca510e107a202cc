/** The command was called in a way it does not understand: exit status 2. In a file of its own because it costs nothing. */
export class UsageError extends Error {
  readonly code = "usage";
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
  }
}
