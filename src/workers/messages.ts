/** All that crosses a process or a thread, as plain data. */
import type { SnapshotErrorCode } from '../snapshot/errors.js';
import type { Component, Observations, SnapshotHeader, Station } from '../snapshot/model.js';
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

/** Many finished answers in one transferable piece of memory. */
export interface PackedAnswers {
  /** In the order of the bytes; `gzipBytes` is 0 where there is no compressed form. */
  readonly index: readonly {
    readonly name: string;
    readonly identityBytes: number;
    readonly gzipBytes: number;
  }[];
  readonly bytes: ArrayBuffer;
}

/** What a worker thread can be asked for. */
export interface JobTypes {
  /** Renders every finished answer about some stations, at import. */
  'render-stations': { readonly task: RenderStationsTask; readonly value: PackedAnswers };
}

export type JobKind = keyof JobTypes;

export type Job = {
  [K in JobKind]: { readonly kind: K; readonly task: JobTypes[K]['task'] };
}[JobKind];

/** Expected failures travel as data: an error loses its class and its code between threads. */
export type JobResult<K extends JobKind = JobKind> =
  | { readonly ok: true; readonly value: JobTypes[K]['value'] }
  | { readonly ok: false; readonly failure: Failure };

/** Stations with all their series, of the public part of a snapshot; columns are shared, not copied. */
export interface RenderStationsTask {
  readonly header: SnapshotHeader;
  readonly components: readonly Component[];
  readonly stations: readonly Station[];
  readonly observations: Observations;
}
