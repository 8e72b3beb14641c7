/** Opens a job's snapshot in this thread, keeps it for the next job, and closes it when it is told or another one comes. */
import { BroadcastChannel } from 'node:worker_threads';
import type { SeriesBlock } from '../snapshot/local/blocks.js';
import { SnapshotReader } from '../snapshot/local/reader.js';
import { RETIRED_CHANNEL, type SnapshotLocation } from './messages.js';

/** A snapshot with what is decoded once a thread. */
export interface OpenSnapshot {
  readonly reader: SnapshotReader;
  readonly blocks: BlockIndex;
}

/** Series by what requests ask for, each list in the order of the observations. */
export interface BlockIndex {
  readonly all: readonly SeriesBlock[];
  readonly byStation: ReadonlyMap<string, readonly SeriesBlock[]>;
  readonly byParameter: ReadonlyMap<string, readonly SeriesBlock[]>;
}

const kept = new Map<string, OpenSnapshot>();

/**
 * The snapshot of a job, for as long as the job runs: to be borrowed again after every `await`.
 *
 * @throws {SnapshotError} `copy_damaged` where the copy cannot be opened.
 */
export function openSnapshot({ directory }: SnapshotLocation): OpenSnapshot {
  const known = kept.get(directory);
  if (known !== undefined) return known;
  listen();
  const reader = new SnapshotReader(directory);
  const borrowed = { reader, blocks: indexBlocks(reader.blocks()) };
  kept.set(directory, borrowed);
  return borrowed;
}

function indexBlocks(all: readonly SeriesBlock[]): BlockIndex {
  const byStation = new Map<string, SeriesBlock[]>();
  const byParameter = new Map<string, SeriesBlock[]>();
  for (const block of all) {
    append(byStation, String(block.stationId), block);
    append(byParameter, block.parameterCode, block);
  }
  return { all, byStation, byParameter };
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

let channel: BroadcastChannel | undefined;

/** The front says so when its last lease has ended; else the old file would stay mapped (pitfall B8). */
function listen(): void {
  if (channel) return;
  channel = new BroadcastChannel(RETIRED_CHANNEL);
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    if (typeof data === 'string') void giveBack(data);
  };
  channel.unref();
}

async function giveBack(directory: string): Promise<void> {
  const borrowed = kept.get(directory);
  kept.delete(directory);
  await borrowed?.reader.close();
}
