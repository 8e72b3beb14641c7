/** Reads a store's pointer within a deadline; malformed pointers and silent stores are results, not errors. */
import { deadlineWithin } from '../../files/deadline.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import type { PointerReading, PointerStore } from '../store/snapshot-store.js';

export type Reading =
  | PointerReading
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'unreachable'; readonly message: string };

export async function readPointer(
  store: Pick<PointerStore, 'readPointer'>,
  { limitMs, signal }: { readonly limitMs: number; readonly signal?: AbortSignal },
): Promise<Reading> {
  const deadline = deadlineWithin(limitMs, signal);
  try {
    return await orAborted(store.readPointer(deadline.signal), deadline.signal);
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'pointer_malformed') {
      return { kind: 'malformed', message: error.message };
    }
    const message = deadline.isOver() ? `no answer in ${limitMs} ms` : messageOf(error);
    return { kind: 'unreachable', message };
  } finally {
    deadline.end();
  }
}

/** Rejects at an abort: some reads ignore their signal, such as on a hanging network file system. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      reject(new Error('called off'));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
