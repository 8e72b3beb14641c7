/** Server-sent events of every swap (`docs/http-api/changes.md, "Events"`). */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { Feed, Listener } from '../semantics/answer.js';
import type { ChangesAtSwap } from './changes-at-swap.js';

/** Interval of comments: proxies and browsers may close a connection that is silent for longer. */
const COMMENT_MS = 15_000;
const COMMENT = Buffer.from(': \n\n');

/** First bytes of a stream: the time in milliseconds after which a disconnected client connects again. */
const GREETING = Buffer.from('retry: 5000\n\n');

/** Time slice per iteration of the event loop: writing to ten thousand listeners takes some 60 ms. */
const SLICE_MS = 0.5;

/** Members of an event, named and written as in the API. */
type EventData = Readonly<Record<string, string | number | null>>;

export interface SnapshotEvent {
  readonly snapshotId: string;
  /** Called only if there are listeners, since counting changes takes a worker some 30 ms. Never rejects. */
  readonly data: () => Promise<EventData>;
}

export function eventData(
  { snapshotId, generatedAtMs, counts: { measurement_rows } }: SnapshotHeader,
  changes: ChangesAtSwap | undefined,
): EventData {
  return {
    snapshot_id: snapshotId,
    generated_at_utc: utcDateTime(generatedAtMs),
    measurement_rows,
    previous_snapshot_id: changes?.previousSnapshotId ?? null,
    added: changes?.added ?? null,
    changed: changes?.changed ?? null,
    withdrawn: changes?.withdrawn ?? null,
  };
}

interface Announced extends SnapshotEvent {
  /** The message, rendered at its first use. */
  bytes?: Promise<Uint8Array>;
}

/**
 * Sends each new listener the event of the active snapshot, unless its client has it already, and then the events of
 * later snapshots. A listener that is too slow is dropped at the next message (`wire/event-stream.ts`), so that the
 * library never buffers more than two messages for it.
 */
export class SnapshotEvents implements Feed {
  readonly #listeners = new Set<Listener>();
  /** Queued messages, oldest first, each with its remaining listeners: those present when it was queued. */
  readonly #due: { readonly bytes: Uint8Array; readonly to: Iterator<Listener> }[] = [];
  #latest: Announced | undefined;
  #isSliceDue = false;
  #isClosed = false;

  constructor() {
    setInterval(() => {
      this.#write(COMMENT, [...this.#listeners]);
    }, COMMENT_MS).unref();
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  join(listener: Listener, lastEventId: string): void {
    const latest = this.#latest;
    listener.write(GREETING);
    if (this.#isClosed) listener.end();
    else this.#listeners.add(listener);
    if (latest !== undefined && latest.snapshotId !== lastEventId) this.#tell(latest, [listener]);
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  /** Sends the event of a snapshot to all listeners, unless that snapshot was announced last. */
  announce({ snapshotId, data }: SnapshotEvent): void {
    if (this.#latest?.snapshotId === snapshotId) return;
    this.#latest = { snapshotId, data };
    if (this.#listeners.size > 0) this.#tell(this.#latest, [...this.#listeners]);
  }

  /** Called when no snapshot is active: new listeners wait for the event of the next one. */
  forget(): void {
    this.#latest = undefined;
  }

  /** Ends every stream, so that its client connects again, to another process. */
  close(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }

  /** Writes the event to these listeners when it is rendered, unless another one has been announced by then. */
  #tell(event: Announced, to: readonly Listener[]): void {
    event.bytes ??= event.data().then((data) => messageOf(event.snapshotId, data));
    void event.bytes.then((bytes) => {
      if (this.#latest === event) this.#write(bytes, to);
    });
  }

  #write(bytes: Uint8Array, to: readonly Listener[]): void {
    if (to.length === 0) return;
    this.#due.push({ bytes, to: to.values() });
    if (!this.#isSliceDue) this.#runSlice();
  }

  #runSlice(): void {
    const endsAt = performance.now() + SLICE_MS;
    this.#isSliceDue = false;
    for (;;) {
      const [current] = this.#due;
      if (current === undefined) return;
      const next = current.to.next();
      if (next.done === true) this.#due.shift();
      else if (this.#listeners.has(next.value)) next.value.write(current.bytes);
      if (performance.now() >= endsAt) break;
    }
    this.#isSliceDue = true;
    setImmediate(() => {
      this.#runSlice();
    });
  }
}

function messageOf(snapshotId: string, data: EventData): Uint8Array {
  const lines = [`id: ${snapshotId}`, 'event: snapshot', `data: ${JSON.stringify(data)}`];
  return Buffer.from(`${lines.join('\n')}\n\n`);
}
