/** Sets up a store with bench snapshots and a service that follows it, in a temporary directory. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isWritable, openObjects } from '../../src/snapshot/store/open.js';
import { WritableSnapshotStore } from '../../src/publishing/writable-snapshot-store.js';
import { snapshotFile, type Shape, type SnapshotFile } from './snapshots.js';
import type { Progress } from '../options.js';
import { CLI, startService, type Service, type ServiceEnvironment } from './processes.js';

const run = promisify(execFile);
const KEY_PREFIX = 'bench';

export interface Setup {
  /** The running service; another one after `restart`. */
  readonly service: Service;
  readonly store: WritableSnapshotStore;
  /** Snapshots in the order of the options; the first one is active at the start. */
  readonly snapshots: readonly PublishedSnapshot[];
  /** The folder that holds `store` and `local`. */
  readonly directory: string;
  /** Publishes another snapshot without making it the active one; resolves with the seconds that it took. */
  publish(file: SnapshotFile): Promise<number>;
  /** Stops the service by SIGTERM, and starts it on the same port; resolves with the milliseconds of the start. */
  restart(): Promise<number>;
  close(): Promise<void>;
}

/** A snapshot with the time of `bura publish --no-activate`, which reads, checks and stores it. */
type PublishedSnapshot = SnapshotFile & { readonly publishSeconds: number };

export interface SetupOptions {
  readonly snapshots: readonly { readonly shape: Shape; readonly version: number }[];
  /** The only core for the service; undefined for any. */
  readonly cpu?: number | undefined;
  /** Further settings of the service; the argument is the folder that holds `store` and `local`. */
  readonly settings?: (directory: string) => ServiceEnvironment;
  readonly progress: Progress;
}

/** Publishes the snapshots as an operator does, activates the first and starts the service. */
export async function openSetup({
  snapshots,
  cpu,
  settings,
  progress,
}: SetupOptions): Promise<Setup> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bura-bench-'));
  const environment = {
    SNAPSHOT_STORE: `file:${path.join(directory, 'store')}`,
    LOCAL_DIR: path.join(directory, 'local'),
    KEY_PREFIX,
    ...settings?.(directory),
  };
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const published: PublishedSnapshot[] = [];
    for (const wanted of snapshots) {
      const file = await snapshotFile(wanted, progress);
      progress(`publishing ${file.snapshotId}`);
      published.push({ ...file, publishSeconds: await publish(file, environment) });
    }
    const objects = openObjects({ address: environment.SNAPSHOT_STORE, keyPrefix: KEY_PREFIX });
    if (!isWritable(objects)) throw new Error('a file store is writable');
    const store = new WritableSnapshotStore(objects);
    const [first] = published;
    if (first === undefined) throw new Error('a setup has at least one snapshot');
    await store.activate(first.snapshotId);
    progress('starting the service');
    let service = await startService(environment, cpu);
    return {
      get service() {
        return service;
      },
      store,
      snapshots: published,
      directory,
      publish: (file) => publish(file, environment),
      restart: async () => {
        const { port } = service;
        await service.stop();
        const startedMs = performance.now();
        service = await startService({ ...environment, PORT: String(port) }, cpu);
        return performance.now() - startedMs;
      },
      close: async () => {
        await service.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function publish(
  { path: file }: SnapshotFile,
  environment: ServiceEnvironment,
): Promise<number> {
  const startedMs = performance.now();
  const env = { ...process.env, ...environment };
  await run(process.execPath, [CLI, 'publish', file, '--no-activate'], { env });
  return (performance.now() - startedMs) / 1000;
}
