/** Opens a job's snapshot in this thread, caches it for the next job, and closes it when the front retires it. */
import { BroadcastChannel } from 'node:worker_threads';
import { looksAtStations, stationsMatching, type Selection } from '../snapshot/domain/selection.js';
import type { SeriesFilter, SeriesList } from '../snapshot/local/observations/series-list.js';
import { SnapshotReader } from '../snapshot/local/reader.js';
import type { CopyRecords, FilterableStation } from '../snapshot/local/records.js';
import { RETIRED_CHANNEL, type SnapshotLocation } from './messages.js';

/** A snapshot with data that a thread decodes once. */
export interface OpenSnapshot {
  readonly reader: SnapshotReader;
  readonly series: SeriesList;
  /** Stations, ascending by id; decoded at the first use. */
  stations(): readonly FilterableStation[];
  /** Decoded at the first use. */
  network(): CopyRecords['network'];
}

/** Converts a selection to a filter of series; reads stations only if the selection needs more than their ids. */
export function seriesFilterOf(
  { stations }: Pick<OpenSnapshot, 'stations'>,
  selection: Selection,
): SeriesFilter {
  const { stationIds, parameterCodes } = selection;
  if (!looksAtStations(selection)) return { stationIds, parameterCodes };
  return {
    stationIds: stationsMatching(stations(), selection).map(({ id }) => id),
    parameterCodes,
  };
}

/** Open snapshots by directory. */
const open = new Map<string, OpenSnapshot>();

/**
 * The open snapshot of a job; call this again after every `await`, during which the snapshot may be closed.
 *
 * @throws {SnapshotError} `copy_damaged` if the copy cannot be opened.
 */
export function openSnapshot({ directory }: SnapshotLocation): OpenSnapshot {
  const present = open.get(directory);
  if (present !== undefined) return present;
  listen();
  const reader = new SnapshotReader(directory);
  try {
    let stations: readonly FilterableStation[] | undefined;
    let network: CopyRecords['network'] | undefined;
    const opened = {
      reader,
      series: reader.seriesList(),
      stations: () => (stations ??= reader.record('stations')),
      network: () => (network ??= reader.record('network')),
    };
    open.set(directory, opened);
    return opened;
  } catch (error) {
    void reader.close();
    throw error;
  }
}

let channel: BroadcastChannel | undefined;

/** Closes copies that the front retires; otherwise they stay mapped (`docs/dependencies.md, "Threads and maps"`). */
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
