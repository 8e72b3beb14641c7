/** Exit codes of every command (`docs/operations.md, "Commands and exit codes"`). */

export const DONE = 0;
export const FAILED = 1;
export const BAD_USAGE = 2;
