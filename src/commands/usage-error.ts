/** An error that the caller of a command can mend: it ends with exit code 2, every other failure with 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
