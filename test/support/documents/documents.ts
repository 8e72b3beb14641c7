/** Snapshot documents for tests: a small one as an object, and large ones as reproducible streams. */
import { createWriteStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { randomNumbers } from './random.js';

const HOUR_MS = 3_600_000;
const CHUNK_CHARACTERS = 64 * 1024;
const SMALL = readFileSync('test/fixtures/small-document.json', 'utf8');

/** A document as plain JSON, for changes by tests. */
export type PlainDocument = Record<string, unknown>;

/**
 * A small valid document of schema version 1.2.0, with `overrides` of top-level members (`counts` follow the lists). Two
 * organizations, two networks, three components (4 is not public) and four stations (9 is not public, 7 has no
 * coordinates); generated at 2026-09-10T00:00:00Z; six rows, one of them null, unordered.
 */
export function snapshotDocument(overrides: PlainDocument = {}): PlainDocument {
  const document = { ...(JSON.parse(SMALL) as PlainDocument), ...overrides };
  const lengthOf = (list: string): number => objectsOf(document, list).length;
  const counts = {
    organizations: lengthOf('organizations'),
    networks: lengthOf('networks'),
    stations: lengthOf('stations'),
    components: lengthOf('components'),
    measurement_rows: lengthOf('measurements'),
  };
  return { counts, ...document };
}

/** Few records with a large answer of `/organizations`, 12 MB, which exceeds all socket buffers. */
export function largeOrganizations(): PlainDocument {
  const description = 'šumadija '.repeat(1000);
  const more = Array.from({ length: 1200 }, (_, index) => ({
    organization_id: 100 + index,
    name: `Organizacija ${index}`,
    short_name: `O${index}`,
    description,
  }));
  const organizations = [...objectsOf(snapshotDocument(), 'organizations'), ...more];
  return snapshotDocument({ snapshot_id: 'large', organizations });
}

/**
 * A document of schema version 1.3.0: component 8 has a name; the first row has times of publication and update, the
 * second row a time of publication only.
 */
export function namedAndTimedDocument(overrides: PlainDocument = {}): PlainDocument {
  const { components, measurements } = snapshotDocument();
  const [first, second, ...others] = measurements as readonly PlainDocument[];
  const published = '2026-09-09T23:58:30Z';
  return snapshotDocument({
    schema_version: '1.3.0',
    components: (components as readonly PlainDocument[]).map((component) =>
      component['component_id'] === 8
        ? { ...component, parameter_name: ' Etilbenzen ' }
        : component,
    ),
    measurements: [
      { ...first, published_at_utc: published, updated_at_utc: '2026-09-09T23:59:59.999Z' },
      { ...second, published_at_utc: '2026-09-09T23:07Z' },
      ...others,
    ],
    ...overrides,
  });
}

export function objectsOf(document: PlainDocument, list: string): readonly PlainDocument[] {
  return document[list] as readonly PlainDocument[];
}

/** The members of a row for the start of an hour, UTC. */
export function hourOf(epochMs: number): { readonly date: string; readonly time: string } {
  const text = new Date(epochMs).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

export interface GeneratedDocument {
  readonly stations?: number;
  readonly components?: number;
  /** The last hours before `generatedAt`. */
  readonly hours?: number;
  readonly generatedAt?: string;
  readonly snapshotId?: string;
  /** Another seed gives other values and gaps. */
  readonly seed?: number;
  /** Ascending ids of a station's components; default: all. Needs a `snapshotId`. */
  readonly componentsOf?: (stationId: number) => readonly number[];
}

/**
 * A document of any size as a stream: one organization and network, every station with every component, values by the
 * hour of the day, one row in a hundred missing and one null.
 */
export async function* generateDocument(options: GeneratedDocument = {}): AsyncGenerator<Buffer> {
  let text = '';
  for (const chunk of documentChunks(options)) {
    text += chunk;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield await Promise.resolve(Buffer.from(text));
    text = '';
  }
  yield Buffer.from(text);
}

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

function* documentChunks({
  stations = 10,
  components = 5,
  hours = 24,
  seed = 1,
  generatedAt = '2026-09-10T00:00:00Z',
  snapshotId = `generated-${stations}-${components}-${hours}-${seed}`,
  componentsOf = () => Array.from({ length: components }, (_, index) => index + 1),
}: GeneratedDocument): Generator<string, void, undefined> {
  const header = {
    schema_version: '1.2.0',
    snapshot_id: snapshotId,
    generated_at: generatedAt,
    supported_windows: ['1h', '1d', '7d', '14d', '30d'],
    organizations: [{ organization_id: 1, name: 'Agencija', short_name: 'SEPA' }],
    networks: [{ network_id: 1, network_code: 'DM', name: 'Državna mreža', short_name: 'DM' }],
    components: Array.from({ length: components }, (_, index) => ({
      component_id: index + 1,
      short_name: CODES[index] ?? `K${index + 1}`,
      unit: index === 5 ? 'mg.m-3' : 'ug.m-3',
    })),
    stations: Array.from({ length: stations }, (_, index) => ({
      station_id: index + 1,
      station_name: `Stanica ${index + 1} Čačak`,
      station_code: `RS${String(index + 1).padStart(4, '0')}A`,
      organization_id: 1,
      network_id: 1,
      municipality: index % 3 === 0 ? 'Beograd ' : 'Čačak',
      latitude: 42.5 + (index % 100) / 30,
      longitude: 19 + (index % 70) / 20,
      station_type: TYPES[index % TYPES.length],
    })),
  };
  yield `${JSON.stringify(header).slice(0, -1)},"measurements":[`;
  const end = Math.ceil(Date.parse(generatedAt) / HOUR_MS);
  const times = Array.from({ length: hours }, (_, index) =>
    JSON.stringify(hourOf((end - hours + index) * HOUR_MS)).slice(1, -1),
  );
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
  const counts = { organizations: 1, networks: 1, stations, components, measurement_rows: rows };
  yield `],"counts":${JSON.stringify(counts)}}\n`;
}
