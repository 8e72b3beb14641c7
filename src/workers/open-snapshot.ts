/** Opens a job's snapshot in this thread, caches it for the next job, and closes it when the front retires it. */
import { BroadcastChannel } from 'node:worker_threads';
import type { SeriesList } from '../snapshot/local/observations/series-list.js';
import { SnapshotReader } from '../snapshot/local/reader.js';
import { RETIRED_CHANNEL, type SnapshotLocation } from './messages.js';

/** A snapshot with what is decoded once a thread. */
export interface OpenSnapshot {
  readonly reader: SnapshotReader;
  readonly series: SeriesList;
}

/** By directory. */
const open = new Map<string, OpenSnapshot>();

/**
 * The snapshot of a job, for as long as the job runs; to be opened again after every `await`.
 *
 * @throws {SnapshotError} `copy_damaged` where the copy cannot be opened.
 */
export function openSnapshot({ directory }: SnapshotLocation): OpenSnapshot {
  const found = open.get(directory);
  if (found !== undefined) return found;
  listen();
  const reader = new SnapshotReader(directory);
  try {
    const opened = { reader, series: reader.seriesList() };
    open.set(directory, opened);
    return opened;
  } catch (error) {
    void reader.close();
    throw error;
  }
}

let channel: BroadcastChannel | undefined;

/** The front says so when its last lease has ended; else the old file would stay mapped (`docs/dependencies.md, "Threads and maps"`). */
function listen(): void {
  if (channel) return;
  channel = new BroadcastChannel(RETIRED_CHANNEL);
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    if (typeof data === 'string') void close(data);
  };
  channel.unref();
}

async function close(directory: string): Promise<void> {
  const opened = open.get(directory);
  open.delete(directory);
  await opened?.reader.close();
}
