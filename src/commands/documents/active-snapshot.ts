/** Reads the active snapshot on its own thread, while the new document is read. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { checkDocument } from '../../publishing/verify-document.js';
import { systemCode } from '../../files/file-error.js';
import { messageOf, SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { parseStoreAddress } from '../../snapshot/store/store-address.js';
import { openStore, type StoreAccess } from '../../snapshot/store/open.js';
import { storeAccess, type Settings } from '../../settings.js';
import { printNote } from '../output/terminal.js';

/** The active snapshot. A publish fails if the store is `away`, but not if the active document is `unreadable`. */
export type Active =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' | 'away'; readonly message: string };

export interface BesideOptions {
  /** Time to wait for a Redis server that is away; default: 0. */
  readonly retryForMs?: number;
  /** Aborts waiting for the snapshot. */
  readonly signal?: AbortSignal;
}

/** Runs work while another thread reads the active snapshot. */
export async function besideActive<T>(
  settings: Settings,
  work: (active: Promise<Active>) => Promise<T>,
  { retryForMs = 0, signal }: BesideOptions = {},
): Promise<T> {
  const options: ReadOptions = { ...withAbsolutePaths(storeAccess(settings)), retryForMs };
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  const active = new Promise<Active>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error) => {
      resolve({ kind: 'unreadable', message: String(error) });
    });
    worker.once('exit', (code) => {
      resolve({ kind: 'unreadable', message: `the thread that reads it ended with ${code}` });
    });
    signal?.addEventListener('abort', () => {
      reject(new Error('interrupted'));
    });
  });
  // After a failure of the work nothing awaits the active snapshot.
  active.catch(() => undefined);
  try {
    return await work(active);
  } finally {
    await worker.terminate();
  }
}

/** The access with absolute paths: work may change the directory of the process (`publishing/sql/database.ts`). */
function withAbsolutePaths({ address, redisCaFile, ...others }: StoreAccess): StoreAccess {
  const store = parseStoreAddress(address);
  return {
    ...others,
    address: store?.kind === 'file' ? pathToFileURL(store.root).href : address,
    ...(redisCaFile !== undefined && { redisCaFile: resolve(redisCaFile) }),
  };
}

type ReadOptions = StoreAccess & { readonly retryForMs: number };

async function readActive(options: ReadOptions): Promise<Active> {
  const store = openStore({ ...options, onNote: printNote });
  try {
    const reading = await store.readPointer();
    if (reading.kind === 'absent') return { kind: 'none' };
    const { snapshotId } = reading.pointer;
    const bytes = await store.openDocument(reading.pointer);
    const snapshot = await checkDocument(bytes, { name: snapshotId, snapshotId });
    return { kind: 'snapshot', snapshot };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    // The folder of the store is missing before the first publish.
    if (systemCode(cause) === 'ENOENT') return { kind: 'none' };
    const kind = isUnreachable(error) && (await isAway(options)) ? 'away' : 'unreadable';
    return { kind, message: messageOf(error) };
  } finally {
    store.close();
  }
}

/** Whether the store itself, not a document in it, is unreachable at the first attempt. */
async function isAway(options: ReadOptions): Promise<boolean> {
  const store = openStore({ ...options, retryForMs: 0 });
  try {
    return isUnreachable(await store.readPointer().catch((error: unknown) => error));
  } finally {
    store.close();
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof SnapshotError && error.code === 'store_unreachable';
}

if (!isMainThread) parentPort?.postMessage(await readActive(workerData as ReadOptions));
