/** Follows the store's pointer: has child processes import snapshots, and sends the fronts the active one. */
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BUILD_ID } from '../build-id.js';
import { storeAccess, type Settings } from '../settings.js';
import { archiveFolder, type ArchiveState } from '../snapshot/archive/archive-state.js';
import type { ActiveState } from '../snapshot/domain/active-state.js';
import type { FollowEvent } from '../snapshot/follow/follow-event.js';
import { follow, type Follower } from '../snapshot/follow/follow.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { KeptHistory } from '../snapshot/history/kept-history.js';
import { copyDirectory, listCopies } from '../snapshot/local/copies.js';
import { ENVIRONMENT_FILE } from '../snapshot/local/environment.js';
import type { Pointer } from '../snapshot/store/pointer.js';
import type { PointerStore } from '../snapshot/store/snapshot-store.js';
import { ArchiveKeeping } from './archive-keeping.js';
import { importSnapshot, type ImportProcessOptions } from './importer.js';
import type { Log } from '../log/log.js';
import type { Fronts } from './fronts.js';
import type { FollowMetrics } from './operators/follow-metrics.js';

/** Threads of an import: one for each core, at most 8, as each takes some 30 MB. */
const IMPORT_THREADS = Math.min(availableParallelism(), 8);

/** Ten times the largest import on a slow machine; a store that stalls is recognized sooner. */
const IMPORT_DEADLINE_MS = 600_000;

/** Bytes that an import needs even for a small network, those of LMDB itself included. */
const SMALL_IMPORT_BYTES = 32 * 1024 * 1024;

interface ImportInProgress {
  readonly snapshotId: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds, UTC. */
  readonly sinceMs: number;
  /** Undefined before the process starts, and while it only frees memory. */
  pid: number | undefined;
}

export interface FollowingOptions {
  readonly settings: Settings;
  readonly directory: string;
  readonly store: PointerStore;
  readonly log: Log;
  readonly starting: Promise<Fronts>;
  readonly metrics: FollowMetrics;
  readonly report: (event: FollowEvent) => void;
}

export class Following {
  importing: ImportInProgress | undefined;
  /** Undefined where the archive is off. */
  archive: ArchiveKeeping | undefined;
  readonly #options: FollowingOptions;
  #fronts: Fronts | undefined;
  #history: KeptHistory | undefined;
  #follower: Follower | undefined;
  #servesSnapshot = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** Remaining outage grace; Infinity while the store answers. */
  get graceLeftSeconds(): number {
    return this.#follower?.graceLeftSeconds ?? Infinity;
  }

  /** Sends the fronts the state of the cached archive, which needs no store. */
  async #resumeArchive(): Promise<void> {
    const { settings, directory, store, log, starting } = this.#options;
    const folder = archiveFolder(directory);
    const onState = (archive: ArchiveState): void => {
      void starting.then((fronts) => {
        fronts.sendArchive({ kind: 'archive', folder, archive });
      }, ignored);
    };
    if (settings.archive === 'off') {
      onState({ kind: 'none', sinceMs: 0, kept: [] });
      return;
    }
    this.archive = new ArchiveKeeping({
      store: storeAccess(settings),
      readIndex: (signal) => store.readArchive(signal),
      directory,
      mayFetch: () => this.#servesSnapshot && this.importing === undefined,
      diskBytes: settings.archiveDiskMb * 1_000_000,
      freeBytes: () => importBytes(directory),
      onState,
      onFailure: (reason) => {
        if (reason === undefined) log.info('archive complete');
        else log.warn({ reason }, 'archive incomplete');
      },
    });
    await this.archive.resume();
  }

  /** Begins to follow the pointer, from the earlier state in the directory. */
  async start(): Promise<void> {
    const { settings, directory, store, log, report } = this.#options;
    const history = await KeptHistory.open({
      directory,
      limit: settings.historySnapshots,
      onChange: (list) => {
        this.#fronts?.sendHistory(list);
      },
      onFailure: (error, snapshotId) => {
        log.info({ snapshot_id: snapshotId, reason: String(error) }, 'history incomplete');
      },
    });
    this.#history = history;
    void this.#resumeArchive();
    this.#follower = await follow({
      store,
      expectedSchemaVersion: settings.expectedSchemaVersion,
      build: BUILD_ID,
      directory,
      historySnapshots: settings.historySnapshots,
      pollMs: settings.pointerPollSeconds * 1000,
      graceMs: settings.storeGraceSeconds * 1000,
      importSnapshot: (pointer, signal) => this.#import(pointer, signal),
      apply: (serving) => this.#apply(serving, history),
      onAnswered: () => {
        this.archive?.poll();
      },
      onRemoved: history.forget.bind(history),
      inUse: () => this.#fronts?.inUse() ?? new Set(),
      report,
    });
  }

  /** Resolves when all work, also an import, has ended; the active snapshot stays. */
  async end(): Promise<void> {
    await this.#follower?.stop();
    await this.archive?.stop();
    await this.#history?.stop();
  }

  poll(): void {
    this.#follower?.poll();
  }

  reverify(): void {
    this.#follower?.reverify();
  }

  reverifyHistory(snapshotIds: readonly string[]): void {
    void this.#history?.reverify(snapshotIds);
  }

  reverifyArchive(sha256: string): void {
    this.archive?.reverify(sha256);
  }

  async #apply(serving: ActiveState, history: KeptHistory): Promise<boolean> {
    const fronts = await this.#options.starting;
    this.#fronts = fronts;
    this.#servesSnapshot = serving.kind === 'snapshot';
    if (serving.kind === 'unavailable') return await fronts.serve(serving);
    const { snapshotId } = serving;
    const isServed = await fronts.serve(serving, await history.serving(snapshotId, serving));
    if (isServed) history.served(snapshotId);
    else history.notServed();
    return isServed;
  }

  async #import(pointer: Pointer, signal: AbortSignal): Promise<void> {
    const { settings, directory, metrics } = this.#options;
    const { snapshotId, sizeBytes } = pointer;
    const importing: ImportInProgress = {
      snapshotId,
      sizeBytes,
      sinceMs: Date.now(),
      pid: undefined,
    };
    const request = {
      store: storeAccess(settings),
      pointer,
      expectedSchemaVersion: settings.expectedSchemaVersion,
      build: BUILD_ID,
      directory,
      threads: IMPORT_THREADS,
    };
    this.importing = importing;
    try {
      await this.#history?.importing(snapshotId);
      const options: ImportProcessOptions = {
        deadlineMs: IMPORT_DEADLINE_MS,
        signal,
        onProcess: (pid) => {
          importing.pid = pid;
        },
        onUsage: metrics.recordImport.bind(metrics),
      };
      try {
        await importSnapshot(request, options);
      } catch (error) {
        // Cached files of the archive can be fetched again, so the import has precedence.
        const isFull = error instanceof SnapshotError && error.code === 'disk_full';
        if (!isFull || !(await this.archive?.giveWay())) throw error;
        await importSnapshot(request, options);
      }
    } finally {
      this.importing = undefined;
    }
  }
}

/**
 * Disk space for the next import, three times the largest `data.mdb`: two for the database, one for the other files of
 * its copy; and what a small import needs.
 */
async function importBytes(directory: string): Promise<number> {
  const sizes = await Promise.all(
    (await listCopies(directory)).map(async (name) => {
      const path = join(copyDirectory(directory, name), ENVIRONMENT_FILE);
      // The copy may have been removed meanwhile.
      return await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    }),
  );
  return 3 * Math.max(0, ...sizes) + SMALL_IMPORT_BYTES;
}

const ignored = (): void => undefined;
