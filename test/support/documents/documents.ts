/** Snapshot documents for tests: a small one as an object, and large ones as reproducible streams. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { randomNumbers } from './random.js';

const HOUR_MS = 3_600_000;
const CHUNK_CHARACTERS = 64 * 1024;

/** A document as plain JSON, for changes by tests. */
export type PlainDocument = Record<string, unknown>;

/**
 * A small valid document of schema version 1.2.0, with `overrides` of top-level members (`counts` follow the lists).
 *
 * Two organizations, two networks, three components (4 is not public) and four stations (9 is not public, 7 has no
 * coordinates); generated at 2026-09-10T00:00:00Z; six rows, one of them null, unordered.
 */
export function snapshotDocument(overrides: PlainDocument = {}): PlainDocument {
  const document: PlainDocument = {
    schema_version: '1.2.0',
    snapshot_id: '20260910T000000Z-test',
    generated_at: '2026-09-10T00:00:00Z',
    supported_windows: ['1h', '1d', '7d', '14d', '30d'],
    ...lists(),
    measurements: [
      row(1, 8, '2026-09-09', '23:00', 21.5),
      row(1, 8, '2026-09-09', '22:00', 20.25),
      row(1, 1, '2026-09-09', '23:00', null),
      row(2, 1, '2026-09-08', '10:00', -0.5),
      row(9, 1, '2026-09-09', '23:00', 3),
      row(1, 4, '2026-09-09', '23:00', 7),
    ],
    ...overrides,
  };
  return { counts: countsOf(document), ...document };
}

/** Few records with a large answer of `/organizations`, 12 MB, which exceeds all socket buffers. */
export function largeOrganizations(): PlainDocument {
  const { organizations } = snapshotDocument();
  const list: readonly unknown[] = Array.isArray(organizations) ? organizations : [];
  const description = 'šumadija '.repeat(1000);
  const more = Array.from({ length: 1200 }, (_, index) => ({
    organization_id: 100 + index,
    name: `Organizacija ${index}`,
    short_name: `O${index}`,
    description,
  }));
  return snapshotDocument({ snapshot_id: 'large', organizations: [...list, ...more] });
}

/**
 * A document of schema version 1.3.0: component 8 has a name; the first row has times of publication and update, the
 * second row a time of publication only.
 */
export function namedAndTimedDocument(overrides: PlainDocument = {}): PlainDocument {
  const plain = snapshotDocument();
  const name = { parameter_name: ' Etilbenzen ' };
  const times = [
    { published_at_utc: '2026-09-09T23:58:30Z', updated_at_utc: '2026-09-09T23:59:59.999Z' },
    { published_at_utc: '2026-09-09T23:07Z' },
  ];
  return snapshotDocument({
    schema_version: '1.3.0',
    components: objectsOf(plain, 'components').map((component) =>
      component['component_id'] === 8 ? { ...component, ...name } : component,
    ),
    measurements: objectsOf(plain, 'measurements').map((one, index) => ({
      ...one,
      ...times[index],
    })),
    ...overrides,
  });
}

export function objectsOf(document: PlainDocument, list: string): readonly PlainDocument[] {
  return document[list] as readonly PlainDocument[];
}

function lists(): PlainDocument {
  return {
    organizations: [
      { organization_id: 1, name: 'Agencija za zaštitu životne sredine', short_name: 'SEPA' },
      { organization_id: 2, name: 'Градска управа', short_name: 'ГУ', phone: '011' },
    ],
    networks: [
      { network_id: 1, network_code: 'DMKV', name: 'Državna mreža', short_name: 'DM' },
      { network_id: 2, network_code: 'LOK', name: 'Lokalna mreža', short_name: 'LM' },
    ],
    components: [
      { component_id: 1, short_name: 'SO2', unit: 'ug.m-3', cas_number: '7446-09-5' },
      { component_id: 8, short_name: 'Ethyl benzene', unit: 'ug.m-3' },
      { component_id: 4, short_name: 'TEST', unit: 'V', public: false },
    ],
    stations: [
      station(1, 'Novi Beograd', {
        municipality: 'Beograd ',
        latitude: 44.803179,
        longitude: 20.400152,
        station_type: 'urban',
        elevation_m: 78.5,
        start_date: '2008-02-29',
      }),
      station(2, 'Ниш', { municipality: 'Niš', active: false, latitude: 43.32, longitude: 21.9 }),
      station(7, 'Kamenički Vis', { organization_id: 2, network_id: 2, component_ids: [8, 1] }),
      station(9, 'Proba', { public: false }),
    ],
  };
}

function station(id: number, name: string, more: PlainDocument): PlainDocument {
  return {
    station_id: id,
    station_name: name,
    station_code: `RS${String(id).padStart(4, '0')}A`,
    organization_id: 1,
    network_id: 1,
    ...more,
  };
}

function row(
  stationId: number,
  componentId: number,
  date: string,
  time: string,
  value: number | null,
): PlainDocument {
  return { station_id: stationId, component_id: componentId, date, time, value };
}

function countsOf(document: PlainDocument): PlainDocument {
  const length = (name: string): number => {
    const list = document[name];
    return Array.isArray(list) ? list.length : 0;
  };
  return {
    organizations: length('organizations'),
    networks: length('networks'),
    stations: length('stations'),
    components: length('components'),
    measurement_rows: length('measurements'),
  };
}

export interface GeneratedDocument {
  /** Default 10. */
  readonly stations?: number;
  /** Default 5. */
  readonly components?: number;
  /** The last hours before `generatedAt`; default 24. */
  readonly hours?: number;
  /** ISO 8601 UTC; default `2026-09-10T00:00:00Z`. */
  readonly generatedAt?: string;
  /** Derived from the other options by default. */
  readonly snapshotId?: string;
  /** Default 1. Another seed gives other values and gaps. */
  readonly seed?: number;
  /** Ascending ids of a station's components; default: all. Needs a `snapshotId`. */
  readonly componentsOf?: (stationId: number) => readonly number[];
}

/**
 * A document of any size as a stream: one organization and network, every station with every component, values by the
 * hour of the day, one row in a hundred missing and one null.
 *
 * Rows: 106,933 with 30 stations, 5 components and 720 hours; 450,000 with 44, 14, 740; 1,059,000 with 105, 14, 728.
 */
export async function* generateDocument(
  options: GeneratedDocument = {},
): AsyncGenerator<Buffer, void, undefined> {
  let text = '';
  for (const chunk of documentChunks(options)) {
    text += chunk;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield await Promise.resolve(Buffer.from(text));
    text = '';
  }
  yield Buffer.from(text);
}

/** Bytes as a stream of chunks of `chunkBytes`. */
export async function* inChunks(
  bytes: Uint8Array,
  chunkBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
  }
}

/** Writes a document to a file, gzipped where its name ends in `.gz`. */
export async function writeDocument(
  path: string,
  document: AsyncIterable<Uint8Array> | PlainDocument,
): Promise<void> {
  const source = isStream(document) ? document : [Buffer.from(JSON.stringify(document))];
  const file = createWriteStream(path);
  await (path.endsWith('.gz')
    ? pipeline(source, createGzip({ level: 1 }), file)
    : pipeline(source, file));
}

function isStream(
  document: AsyncIterable<Uint8Array> | PlainDocument,
): document is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in document;
}

const CODES = ['SO2', 'PM10', 'O3', 'NO2', 'NOX', 'CO', 'Benzen', 'NO', 'PM2.5', 'Ethyl benzene'];
const TYPES = ['traffic', 'urban', 'background', 'industrial', 'rural', 'other'];

function* documentChunks(options: GeneratedDocument): Generator<string, void, undefined> {
  const { stations = 10, components = 5, hours = 24, seed = 1 } = options;
  const generatedAt = options.generatedAt ?? '2026-09-10T00:00:00Z';
  const id = options.snapshotId ?? `generated-${stations}-${components}-${hours}-${seed}`;
  const header = {
    schema_version: '1.2.0',
    snapshot_id: id,
    generated_at: generatedAt,
    supported_windows: ['1h', '1d', '7d', '14d', '30d'],
    organizations: [{ organization_id: 1, name: 'Agencija', short_name: 'SEPA' }],
    networks: [{ network_id: 1, network_code: 'DM', name: 'Državna mreža', short_name: 'DM' }],
    components: Array.from({ length: components }, (_, index) => ({
      component_id: index + 1,
      short_name: CODES[index] ?? `K${index + 1}`,
      unit: index === 5 ? 'mg.m-3' : 'ug.m-3',
    })),
    stations: Array.from({ length: stations }, (_, index) =>
      station(index + 1, `Stanica ${index + 1} Čačak`, {
        municipality: index % 3 === 0 ? 'Beograd ' : 'Čačak',
        latitude: 42.5 + (index % 100) / 30,
        longitude: 19 + (index % 70) / 20,
        station_type: TYPES[index % TYPES.length],
      }),
    ),
  };
  yield `${JSON.stringify(header).slice(0, -1)},"measurements":[`;
  const end = Math.ceil(Date.parse(generatedAt) / HOUR_MS);
  const all = Array.from({ length: components }, (_, index) => index + 1);
  const componentsOf = options.componentsOf ?? (() => all);
  const rows = yield* rowChunks({ stations, componentsOf, hours, seed, end });
  const counts = { organizations: 1, networks: 1, stations, components, measurement_rows: rows };
  yield `],"counts":${JSON.stringify(counts)}}\n`;
}

function* rowChunks(options: {
  stations: number;
  componentsOf: (stationId: number) => readonly number[];
  hours: number;
  seed: number;
  end: number;
}): Generator<string, number, undefined> {
  const { stations, componentsOf, hours, seed, end } = options;
  const times = Array.from({ length: hours }, (_, index) => {
    const text = new Date((end - hours + index) * HOUR_MS).toISOString();
    return `"date":"${text.slice(0, 10)}","time":"${text.slice(11, 16)}"`;
  });
  const random = randomNumbers(seed);
  let rows = 0;
  for (let stationId = 1; stationId <= stations; stationId += 1) {
    for (const componentId of componentsOf(stationId)) {
      const head = `{"station_id":${stationId},"component_id":${componentId},`;
      const level = 5 + random() * 40;
      for (const [index, time] of times.entries()) {
        const chance = random();
        if (chance < 0.01) continue;
        const value = level * (1 + 0.5 * Math.sin(((index % 24) / 12) * Math.PI)) + random() * 5;
        const shown = chance < 0.02 ? 'null' : String(Number(value.toFixed(4)));
        yield `${rows === 0 ? '' : ','}${head}${time},"value":${shown}}`;
        rows += 1;
      }
    }
  }
  return rows;
}
