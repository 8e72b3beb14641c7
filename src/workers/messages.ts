/** All that crosses a process or a thread, as plain data. */
import type { SnapshotErrorCode } from '../snapshot/errors.js';
import type { Pointer } from '../snapshot/store/store.js';

/** To the import process: make a local copy of the pointer's snapshot. */
export interface ImportRequest {
  readonly store: string;
  readonly keyPrefix: string;
  readonly pointer: Pointer;
  readonly expectedSchemaVersion: string;
  /** The directory of this namespace's local copies. */
  readonly directory: string;
  /** Threads that render and compress. */
  readonly threads: number;
}

/** Why something failed, without its class: made an error again on the asking side. */
export interface Failure {
  readonly code: SnapshotErrorCode;
  readonly message: string;
}

/** From the import process: exactly one, then it exits. */
export type ImportResult =
  | { readonly ok: true; readonly directory: string; readonly milliseconds: number }
  | { readonly ok: false; readonly failure: Failure };
