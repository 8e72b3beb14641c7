/** The snapshot that is active in the store, read on a thread of its own: a new document is read at the same time. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { checkDocument } from '../../publishing/verify-document.js';
import { systemCode } from '../../snapshot/document/file-error.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { openStore, type StoreAccess } from '../../snapshot/store/open.js';
import { storeAccess, type Settings } from '../../settings.js';

/** A store whose active document cannot be read gets a new one all the same. */
export type Active =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly message: string };

/**
 * Does work while the active snapshot is read.
 *
 * @param options.retryForMs how long a Redis server that is away is waited for.
 */
export async function besideActive<T>(
  settings: Settings,
  work: (active: Promise<Active>) => Promise<T>,
  { retryForMs = 0 }: { readonly retryForMs?: number } = {},
): Promise<T> {
  const options: ReadOptions = { ...storeAccess(settings), retryForMs };
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  const active = new Promise<Active>((resolve) => {
    worker.once('message', resolve);
    worker.once('error', (error) => {
      resolve({ kind: 'unreadable', message: String(error) });
    });
    worker.once('exit', () => {
      resolve({ kind: 'none' });
    });
  });
  try {
    return await work(active);
  } finally {
    await worker.terminate();
  }
}

type ReadOptions = StoreAccess & { readonly retryForMs: number };

async function readActive(options: ReadOptions): Promise<Active> {
  const store = openStore(options);
  try {
    const reading = await store.readPointer();
    if (reading.kind === 'absent') return { kind: 'none' };
    const bytes = await store.openDocument(reading.pointer);
    const { snapshot } = await checkDocument(bytes, { name: reading.pointer.snapshotId });
    return { kind: 'snapshot', snapshot };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    // A folder that the first publish makes.
    if (systemCode(cause) === 'ENOENT') return { kind: 'none' };
    return { kind: 'unreadable', message: error instanceof Error ? error.message : String(error) };
  } finally {
    store.close();
  }
}

if (!isMainThread) parentPort?.postMessage(await readActive(workerData as ReadOptions));
