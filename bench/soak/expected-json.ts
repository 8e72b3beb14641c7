/**
 * The expected answers of the JSON API, computed from the plain document without the service's code.
 *
 * The service uses hours since the epoch, columns and ranges; this module compares times as texts and filters rows, so
 * that the two do not share mistakes.
 */
import { objectsOf, type PlainDocument } from '../../test/support/documents/documents.js';
import { seriesTarget } from '../../test/support/expected/expected-answers.js';

type Plain = Readonly<Record<string, unknown>>;

interface Row {
  readonly station: number;
  readonly component: number;
  /** Start of the hour, such as `2026-09-09T23:00`; text order is time order. */
  readonly at: string;
  readonly value: number;
}

const FORBIDDEN = ['validated', 'qa_flag', 'compliance', 'exceedance'];
const WINDOWS = ['1h', '1d', '7d', '14d', '30d'];
const DAYS: Readonly<Record<string, number>> = { '1d': 1, '7d': 7, '14d': 14, '30d': 30 };

const STATION_TEXTS =
  'station_name station_code city municipality station_type address start_date end_date notes';
const STATION_OPTIONAL =
  'city municipality latitude longitude station_type elevation_m address start_date end_date notes';

/** Every request target with status 200, and its JSON value. */
export function expectedAnswers(document: PlainDocument): ReadonlyMap<string, unknown> {
  const answers = new Map<string, unknown>();
  const components = publicOnes(objectsOf(document, 'components'), 'component_id').map(
    (component) =>
      shown(component, {
        texts: 'short_name unit cas_number description',
        optional: 'cas_number description',
      }),
  );
  const sources = publicOnes(objectsOf(document, 'stations'), 'station_id');
  const stations = sources.map((source) => viewStation(source, document));
  answers.set('/meta', manifest(document));
  answers.set('/organizations', named(objectsOf(document, 'organizations'), 'organization_id'));
  answers.set('/networks', named(objectsOf(document, 'networks'), 'network_id'));
  answers.set('/stations', stations);
  answers.set('/components', components);
  for (const station of stations) {
    const id = station['organization_id'];
    answers.set(
      `/${String(id)}/stations`,
      stations.filter((one) => one['organization_id'] === id),
    );
  }
  const visible = visibleRows(document, { stations, components });
  for (const [index, station] of stations.entries()) {
    const source = sources[index] ?? {};
    addStation(answers, { document, station, source, components, visible });
  }
  return answers;
}

function addStation(
  answers: Map<string, unknown>,
  of: {
    readonly document: PlainDocument;
    readonly station: Plain;
    readonly source: Plain;
    readonly components: readonly Plain[];
    readonly visible: readonly Row[];
  },
): void {
  const { document, station, source, components } = of;
  const id = Number(station['station_id']);
  const organization = station['organization_id'];
  const path = `/${String(organization)}/stations/${id}`;
  const listed = Array.isArray(source['component_ids'])
    ? (source['component_ids'] as readonly unknown[])
    : objectsOf(document, 'measurements')
        .filter((row) => row['station_id'] === id)
        .map((row) => row['component_id']);
  answers.set(`${path}/meta`, {
    ...station,
    public_components: components.filter((one) => listed.includes(one['component_id'])),
  });
  const rows = of.visible.filter((row) => row.station === id);
  const day = rows.filter((row) => row.at >= daysBefore(document, 1));
  const hours = [...new Set(day.map((row) => row.at))].map((at) => hourEntry(at, day));
  const lastHour = hours.at(-1);
  if (lastHour !== undefined) {
    answers.set(`${path}/measurements/last_24h`, { hours });
    answers.set(`${path}/measurements/last_hour`, { hours: [lastHour] });
  }
  for (const component of components) {
    for (const window of document['supported_windows'] as readonly string[]) {
      const points = rows.filter(
        (row) =>
          row.component === component['component_id'] &&
          (window === '1h'
            ? row.at === day.at(-1)?.at
            : row.at >= daysBefore(document, DAYS[window] ?? 0)),
      );
      if (points.length === 0) continue;
      const target = seriesTarget({
        organization,
        station: id,
        component: component['component_id'],
        window,
      });
      answers.set(target, {
        organization_id: organization,
        station_id: id,
        station_name: station['station_name'],
        component_id: component['component_id'],
        component_short_name: component['short_name'],
        unit: component['unit'],
        window,
        points: points.map(({ at, value }) => ({ ...dateAndTime(at), value })),
      });
    }
  }
}

function hourEntry(at: string, rows: readonly Row[]): Plain {
  const components = rows
    .filter((row) => row.at === at)
    .toSorted((a, b) => a.component - b.component)
    .map(({ component, value }) => ({ component_id: component, value }));
  return { ...dateAndTime(at), components };
}

function dateAndTime(at: string): Plain {
  const [date, time] = at.split('T');
  return { date, time };
}

/** Rows with a value, of public stations and components, before `generated_at`, ascending by time. */
function visibleRows(
  document: PlainDocument,
  lists: { readonly stations: readonly Plain[]; readonly components: readonly Plain[] },
): readonly Row[] {
  const stations = new Set(lists.stations.map((one) => one['station_id']));
  const components = new Set(lists.components.map((one) => one['component_id']));
  const end = daysBefore(document, 0);
  const rows: Row[] = [];
  for (const row of objectsOf(document, 'measurements')) {
    const at = `${String(row['date'])}T${String(row['time'])}`;
    // Compares milliseconds, as both times may be in the same minute.
    if (`${at}:00.000` >= end || row['value'] === null) continue;
    if (!stations.has(row['station_id']) || !components.has(row['component_id'])) continue;
    rows.push({
      station: Number(row['station_id']),
      component: Number(row['component_id']),
      at,
      value: Number(row['value']),
    });
  }
  return rows.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** The time `days` days before `generated_at`, as a text that compares with the shorter times of rows. */
function daysBefore(document: PlainDocument, days: number): string {
  const end = Date.parse(String(document['generated_at']));
  const text = new Date(end - days * 86_400_000).toISOString().slice(0, -1);
  // `...T00:00` is a prefix of `...T00:00:00.000` and would sort before it.
  return text.endsWith(':00.000') && days > 0 ? text.slice(0, 16) : text;
}

function manifest(document: PlainDocument): Plain {
  const windows = document['supported_windows'] as readonly string[];
  return {
    schema_version: document['schema_version'],
    snapshot_id: document['snapshot_id'],
    generated_at: String(document['generated_at']).replace(/\.\d+Z$/, 'Z'),
    supported_windows: WINDOWS.filter((window) => windows.includes(window)),
    counts: document['counts'],
  };
}

function named(list: readonly Plain[], key: string): readonly Plain[] {
  return byId(list, key).map((object) => shown(object, { texts: 'name short_name network_code' }));
}

function viewStation(source: Plain, document: PlainDocument): Plain {
  const network = objectsOf(document, 'networks').find(
    (one) => one['network_id'] === source['network_id'],
  );
  return {
    ...shown(source, { texts: STATION_TEXTS, optional: STATION_OPTIONAL }),
    active: source['active'] ?? true,
    network_code: String(network?.['network_code']).trim(),
  };
}

/** An object for clients: trimmed texts, without absent, internal and forbidden members. */
function shown(
  object: Plain,
  rules: { readonly texts: string; readonly optional?: string },
): Plain {
  const members = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    if (['public', 'component_ids', 'public_components', ...FORBIDDEN].includes(name)) return [];
    const isText = rules.texts.split(' ').includes(name) && typeof value === 'string';
    const trimmed = isText ? value.trim() : withoutForbidden(value);
    const isAbsent = trimmed === null || trimmed === '';
    return isAbsent && rules.optional?.split(' ').includes(name) === true ? [] : [[name, trimmed]];
  });
  return Object.fromEntries(members);
}

function withoutForbidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutForbidden);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !FORBIDDEN.includes(name))
      .map(([name, member]) => [name, withoutForbidden(member)]),
  );
}

function publicOnes(list: readonly Plain[], key: string): readonly Plain[] {
  return byId(list, key).filter((object) => object['public'] !== false);
}

function byId(list: readonly Plain[], key: string): readonly Plain[] {
  return list.toSorted((a, b) => Number(a[key]) - Number(b[key]));
}
