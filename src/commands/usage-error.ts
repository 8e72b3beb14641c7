/** What the caller of a command has to change: exit code 2, where everything else that fails is 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
