/** Reads a store's pointer within a deadline; malformed pointers and silent stores are results, not errors. */
import { deadlineWithin, unlessAborted } from '../../files/deadline.js';
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
    const reading = store.readPointer(deadline.signal);
    return await unlessAborted(reading, deadline.signal, new Error('called off'));
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
