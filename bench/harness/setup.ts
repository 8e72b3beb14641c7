/** Sets up a store with bench snapshots and a service that follows it, in a temporary directory that is removed afterwards. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { activateSnapshot } from '../../src/publishing/stored-snapshots.js';
import { isWritable, openStore } from '../../src/snapshot/store/open.js';
import type { WritableSnapshotStore } from '../../src/snapshot/store/store.js';
import { snapshotFile, type Shape, type SnapshotFile } from './snapshots.js';
import type { Progress } from '../options.js';
import { CLI, startService, type Service, type ServiceEnvironment } from './processes.js';
import { watchWork, type Work } from './work.js';

const KEY_PREFIX = 'bench';

export interface Setup {
  /** The running service; another one after `restart`. */
  readonly service: Service;
  readonly store: WritableSnapshotStore;
  /** In the order of the options; the first one is active at the start. */
  readonly snapshots: readonly PublishedSnapshot[];
  /** The folder that holds `store` and `local`. */
  readonly directory: string;
  /** Publishes another snapshot without making it the active one. */
  publish(file: SnapshotFile): Promise<Work>;
  /** Stops the service by SIGTERM, lets `meanwhile` pass, and starts it on the same port; resolves once it is ready. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

interface PublishedSnapshot extends SnapshotFile {
  /** That of `bura publish --no-activate`, which reads, checks and stores. */
  readonly publish: Work;
}

export interface SetupOptions {
  readonly snapshots: readonly { readonly shape: Shape; readonly version: number }[];
  /** The only core for the service; undefined for any. */
  readonly cpu?: number | undefined;
  /** Settings of the service beside where it finds its snapshots. */
  readonly settings?: ServiceEnvironment;
  /** A command that starts the service and replaces itself by it, such as one that sets a limit. */
  readonly wrap?: readonly string[];
  readonly progress: Progress;
}

/** Publishes the snapshots as an operator does, activates the first and starts the service. */
export async function openSetup({
  snapshots,
  cpu,
  settings = {},
  wrap = [],
  progress,
}: SetupOptions): Promise<Setup> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bura-bench-'));
  const environment = {
    SNAPSHOT_STORE: `file:${path.join(directory, 'store')}`,
    LOCAL_DIR: path.join(directory, 'local'),
    KEY_PREFIX,
    ...settings,
  };
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const published: PublishedSnapshot[] = [];
    for (const wanted of snapshots) {
      const file = await snapshotFile(wanted, progress);
      progress(`publishing ${file.snapshotId}`);
      published.push({ ...file, publish: await publish(file, environment) });
    }
    const store = openStore({ address: environment.SNAPSHOT_STORE, keyPrefix: KEY_PREFIX });
    if (!isWritable(store)) throw new Error('a file store is writable');
    const [first] = published;
    if (first === undefined) throw new Error('a setup has at least one snapshot');
    await activateSnapshot(store, first.snapshotId);
    progress('starting the service');
    let service = await startService(environment, { cpu, wrap });
    return {
      get service() {
        return service;
      },
      store,
      snapshots: published,
      directory,
      publish: (file) => publish(file, environment),
      restart: async (meanwhile = () => Promise.resolve()) => {
        const { port } = service;
        await service.stop();
        await meanwhile();
        service = await startService({ ...environment, PORT: String(port) }, { cpu, wrap });
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
): Promise<Work> {
  const child = spawn(process.execPath, [CLI, 'publish', file, '--no-activate'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(child.stderr);
  const work = await watchWork(
    child.pid ?? 0,
    () => child.exitCode === null && child.signalCode === null,
  );
  if (child.exitCode !== 0) throw new Error(`bura publish: ${await said}`);
  return work;
}
