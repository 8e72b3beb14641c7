/** The running instance, as metrics and status read it. */
import type { LoopDelay } from '../../ipc/loop-delay.js';
import type { ArchiveState } from '../../snapshot/archive/archive-state.js';
import type { Digest } from '../../snapshot/domain/digest.js';
import type { Settings } from '../../settings.js';
import type { PointerStore } from '../../snapshot/store/snapshot-store.js';
import type { ArchiveKeeping } from '../archive-keeping.js';
import type { Following } from '../following.js';
import type { Fronts } from '../fronts.js';
import type { SystemLimits } from '../limits.js';
import type { SnapshotReadings } from './snapshot-figures.js';
import type { StatusBoard } from './status-board.js';

export interface Instance {
  /** Settings that operators see, with the claimed port. */
  readonly settings: Pick<Settings, 'host' | 'port' | 'frontProcesses' | 'storeGraceSeconds'>;
  readonly directory: string;
  readonly store: PointerStore;
  readonly fronts: Fronts;
  readonly board: StatusBoard;
  readonly readings: SnapshotReadings;
  readonly limits: SystemLimits;
  readonly following: Pick<Following, 'importing' | 'graceLeftSeconds'> & {
    readonly archive: Pick<ArchiveKeeping, 'state' | 'problem' | 'pid'> | undefined;
  };
  readonly loopDelay: LoopDelay;
}

/** Figures of the cached part of the archive; empty where the archive is off or its state unknown. */
export function archiveFigures(state: ArchiveState | undefined) {
  if (state === undefined || state.kind === 'unknown') return {};
  return { kept: state.kept, leftOut: state.kind === 'there' ? state.leftOut.length : 0 };
}

export function sizeOf(files: readonly Digest[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

export interface InstanceProcess {
  readonly role: 'supervisor' | 'front' | 'import' | 'archive';
  /** Name in metrics: `supervisor`, `front-1`, `import`. */
  readonly name: string;
  readonly pid: number;
  /** Cells of `LOOP_DELAY`; undefined where not reported. */
  readonly loopDelays?: readonly number[] | undefined;
}

export function processesOf(instance: Instance): readonly InstanceProcess[] {
  const { fronts, following, loopDelay } = instance;
  const all = [
    { role: 'supervisor', name: 'supervisor', pid: process.pid, loopDelays: loopDelay.cells },
    ...fronts.processes.map((front) => ({ role: 'front', ...front }) as const),
    { role: 'import', name: 'import', pid: following.importing?.pid },
    { role: 'archive', name: 'archive', pid: following.archive?.pid },
  ] as const;
  return all.flatMap((one) => (one.pid === undefined ? [] : [{ ...one, pid: one.pid }]));
}
