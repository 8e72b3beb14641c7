/** Reads a store's pointer within a deadline; malformed pointers and silent stores are results, not errors. */
import { deadlineWithin, unlessAborted } from '../../files/deadline.js';
import type { PointerReading, PointerStore } from '../store/snapshot-store.js';
import { failureOf } from '../domain/snapshot-error.js';

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
    const { code, message } = failureOf(error);
    if (code === 'pointer_malformed') return { kind: 'malformed', message };
    const why = deadline.isOver() ? `no answer in ${limitMs} ms` : message;
    return { kind: 'unreachable', message: why };
  } finally {
    deadline.end();
  }
}
