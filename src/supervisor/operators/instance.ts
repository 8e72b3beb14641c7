/** The running instance as operators look at it: what its metrics and its status are read from. */
import type { LoopDelay } from '../../ipc/loop-delay.js';
import type { ArchiveState } from '../../snapshot/archive/archive-state.js';
import type { Digest } from '../../snapshot/domain/digest.js';
import type { PointerStore } from '../../snapshot/store/snapshot-store.js';
import type { ArchiveKeeping } from '../archive-keeping.js';
import type { Fronts } from '../fronts.js';
import type { SystemLimits } from '../limits.js';
import type { Address } from '../port.js';
import type { SnapshotReadings } from './snapshot-figures.js';
import type { StatusBoard } from './status-board.js';

export interface Instance {
  /** Address on which it listens. */
  readonly address: Address;
  /** Directory of the local copies. */
  readonly directory: string;
  readonly store: PointerStore;
  readonly fronts: Fronts;
  readonly board: StatusBoard;
  readonly readings: SnapshotReadings;
  /** STORE_GRACE_SECONDS. */
  readonly graceSeconds: number;
  /** Limits of each front. */
  readonly limits: SystemLimits;
  /** Configured number of front processes. */
  readonly frontProcesses: number;
  readonly importing: () => ImportInProgress | undefined;
  /** Keeps files of the archive; undefined where the archive is not served. */
  readonly archive: () => Pick<ArchiveKeeping, 'state' | 'problem' | 'pid'> | undefined;
  /** How long would still be served without the store; Infinity while it answers. */
  readonly graceLeftSeconds: () => number;
  /** Delay of the supervisor's own event loop. */
  readonly loopDelay: LoopDelay;
}

/** The import that runs. */
export interface ImportInProgress {
  readonly snapshotId: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds, UTC. */
  readonly sinceMs: number;
  /** Undefined until its process is started, and when it is only freeing its memory. */
  pid: number | undefined;
}

/** Figures of the stored part of the archive; undefined without an archive. */
export function archiveFigures(state: ArchiveState | undefined) {
  if (state === undefined || state.kind === 'unknown') return {};
  return { kept: state.kept, leftOut: state.kind === 'there' ? state.leftOut.length : 0 };
}

export function sizeOf(files: readonly Digest[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

export interface InstanceProcess {
  readonly role: 'supervisor' | 'front' | 'import' | 'archive';
  /** As metrics name it: `supervisor`, `front-1`, `import`. */
  readonly name: string;
  readonly pid: number;
  /** Cells of `LOOP_DELAY`; undefined where it counts none, or has not told. */
  readonly loopDelays?: readonly number[] | undefined;
}

/** This process, its fronts, the import that runs, and the process that keeps the archive. */
export function processesOf(instance: Instance): readonly InstanceProcess[] {
  const { fronts, importing, archive, loopDelay } = instance;
  const all = [
    { role: 'supervisor', name: 'supervisor', pid: process.pid, loopDelays: loopDelay.cells },
    ...fronts.processes.map((front) => ({ role: 'front', ...front }) as const),
    { role: 'import', name: 'import', pid: importing()?.pid },
    { role: 'archive', name: 'archive', pid: archive()?.pid },
  ] as const;
  return all.flatMap((one) => (one.pid === undefined ? [] : [{ ...one, pid: one.pid }]));
}
