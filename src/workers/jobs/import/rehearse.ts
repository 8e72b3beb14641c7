/**
 * What an import process does before it waits: a small import of nothing, which goes to nowhere.
 *
 * Node loads and compiles code when it is used: a process that has done nothing yet takes twice the time of one that
 * has just done the same. This small one brings most of that, and a larger one hardly more.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createTemporary } from '../../../snapshot/local/copies.js';
import { WINDOWS } from '../../../snapshot/domain/model.js';
import { dateOfHour, HOUR_MS, timeOfHour } from '../../../snapshot/domain/windows.js';
import type { WorkerPool } from '../../pool.js';
import { importSnapshot } from './import-snapshot.js';

const SNAPSHOT_ID = 'rehearsal';
const SCHEMA_VERSION = '1.2.0';
const STATIONS = 8;
const COMPONENTS = 4;
const HOURS = 120;
const GENERATED_AT_MS = Date.UTC(2026, 0, 31);

/**
 * Imports into a temporary folder of `directory` (of all local copies of this namespace), and removes it.
 *
 * Every thread of the pool has its part. Never rejects: what is wrong here is wrong for the import too, which says so.
 */
export async function rehearse(directory: string, pool: WorkerPool): Promise<void> {
  let temporary: string | undefined;
  try {
    temporary = await createTemporary(directory, SNAPSHOT_ID);
    await importRehearsal(temporary, pool);
  } catch {
    // Said above.
  } finally {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function importRehearsal(directory: string, pool: WorkerPool): Promise<void> {
  const document = Buffer.from(JSON.stringify(rehearsalDocument()));
  await importSnapshot({
    store: { openDocument: () => Promise.resolve(Readable.from([document])) },
    pointer: {
      snapshotId: SNAPSHOT_ID,
      schemaVersion: SCHEMA_VERSION,
      document: SNAPSHOT_ID,
      sizeBytes: document.byteLength,
      sha256: createHash('sha256').update(document).digest('hex'),
      activatedAtMs: GENERATED_AT_MS,
    },
    expectedSchemaVersion: SCHEMA_VERSION,
    directory,
    pool,
    taskRows: Math.floor((STATIONS * COMPONENTS * HOURS) / (2 * pool.threads)),
  });
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
    generated_at: new Date(GENERATED_AT_MS).toISOString(),
    supported_windows: WINDOWS,
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
    upTo(HOURS, (back) => {
      const hour = GENERATED_AT_MS / HOUR_MS - back;
      return {
        station_id: stationId,
        component_id: componentId,
        date: dateOfHour(hour),
        time: timeOfHour(hour),
        value: back % 20 === 0 ? null : ((back * 37 + stationId * componentId) % 1000) / 10,
      };
    }),
  ).flat();
}

/** What `make` makes of 1 to `count`. */
function upTo<T>(count: number, make: (number: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
