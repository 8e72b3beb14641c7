/** The error for a file that cannot be read or written on this machine, with the path that the operator gave. */

export class FileError extends Error {
  override readonly name = 'FileError';
  /** Name of the system error, such as `ENOENT`; empty for other failures than those of system calls. */
  readonly code: string;

  /** @param doing completes "cannot ...", such as `write out/document.json`. */
  constructor(doing: string, cause: unknown) {
    super(`cannot ${doing}: ${reasonOf(cause)}`, { cause });
    this.code = systemCode(cause) ?? '';
  }
}

/** The name of a failed system call's error; undefined for other failures. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error
    ? String(error.code)
    : undefined;
}

/** The message without the system call's path, which may be a temporary file that the operator never named. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const call = 'syscall' in cause ? cause.message.lastIndexOf(`, ${String(cause.syscall)}`) : -1;
  return call < 0 ? cause.message : cause.message.slice(0, call);
}
