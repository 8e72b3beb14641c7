/**
 * What an import process does before it waits: a small import of nothing, which goes to nowhere.
 *
 * Node loads and compiles code when it is used: a process that has done nothing yet takes twice the time of one that
 * has just done the same. This small one brings most of that, and a larger one hardly more.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createTemporary } from '../../snapshot/local/copies.js';
import type { WorkerPool } from '../pool.js';
import { importSnapshot } from './import-snapshot.js';

const SNAPSHOT_ID = 'rehearsal';
const SCHEMA_VERSION = '1.2.0';
const STATIONS = 8;
const COMPONENTS = 4;
const HOURS = 120;
const GENERATED_AT = Date.UTC(2026, 0, 31);
const HOUR_MS = 3_600_000;

export interface RehearseOptions {
  /** Of all local copies of this namespace; what lies in it meanwhile is a leftover if the process is killed. */
  readonly directory: string;
  readonly pool: WorkerPool;
  /** Of the pool: every one of them has its part. */
  readonly threads: number;
}

/** Never rejects: what is wrong here is wrong for the import too, which says so. */
export async function rehearse({ directory, pool, threads }: RehearseOptions): Promise<void> {
  const document = Buffer.from(JSON.stringify(rehearsalDocument()));
  const pointer = {
    snapshotId: SNAPSHOT_ID,
    schemaVersion: SCHEMA_VERSION,
    document: SNAPSHOT_ID,
    sizeBytes: document.byteLength,
    sha256: createHash('sha256').update(document).digest('hex'),
    activatedAtMs: GENERATED_AT,
  };
  const rows = STATIONS * COMPONENTS * HOURS;
  try {
    const temporary = await createTemporary(directory, SNAPSHOT_ID);
    await importSnapshot({
      store: { openDocument: () => Promise.resolve(Readable.from([document])) },
      pointer,
      expectedSchemaVersion: SCHEMA_VERSION,
      directory: temporary,
      pool,
      concurrency: threads + 2,
      taskRows: Math.floor(rows / (2 * threads)),
    });
    await rm(temporary, { recursive: true, force: true });
  } catch {
    // Said above.
  }
}

/** A network like others: every station with every component, one value in twenty missing. */
function rehearsalDocument(): unknown {
  const lists = {
    organizations: [{ organization_id: 1, name: 'Agencija', short_name: 'A' }],
    networks: [{ network_id: 1, network_code: 'M', name: 'Mreža', short_name: 'M' }],
    components: upTo(COMPONENTS, (id) => ({
      component_id: id,
      short_name: `C${id}`,
      unit: 'µg/m³',
    })),
    stations: upTo(STATIONS, (id) => ({
      station_id: id,
      station_name: `Stanica ${id}`,
      station_code: `S${id}`,
      organization_id: 1,
      network_id: 1,
      latitude: 44 + id / 100,
      longitude: 20 + id / 100,
    })),
    measurements: upTo(STATIONS, measurementsOf).flat(),
  };
  return {
    schema_version: SCHEMA_VERSION,
    snapshot_id: SNAPSHOT_ID,
    generated_at: new Date(GENERATED_AT).toISOString(),
    supported_windows: ['1h', '1d', '7d', '14d', '30d'],
    counts: {
      organizations: 1,
      networks: 1,
      components: COMPONENTS,
      stations: STATIONS,
      measurement_rows: lists.measurements.length,
    },
    ...lists,
  };
}

function measurementsOf(stationId: number): readonly unknown[] {
  return upTo(COMPONENTS, (componentId) =>
    upTo(HOURS, (hour) => {
      const start = new Date(GENERATED_AT - hour * HOUR_MS).toISOString();
      return {
        station_id: stationId,
        component_id: componentId,
        date: start.slice(0, 10),
        time: start.slice(11, 16),
        value: hour % 20 === 0 ? null : ((hour * 37 + stationId * componentId) % 1000) / 10,
      };
    }),
  ).flat();
}

/** What `make` makes of 1 to `count`. */
function upTo<T>(count: number, make: (number: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
