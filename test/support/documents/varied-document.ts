/** The document of tests that only read (`test/service/all-reads.test.ts`). */
import { snapshotDocument, type PlainDocument } from './documents.js';

/** Codes of the components that station 6 measures. */
export const ODD_CODES = ['PM10', 'pm10', 'a/b&c=d+e%2B"\n?#', '🌬'];

/**
 * Stations with different members for filters; codes that need escapes, two of which differ in case; nine days of one
 * series; forbidden names wherever a document may have additional members.
 */
export function variedDocument(overrides: PlainDocument = {}): PlainDocument {
  const forbidden = { validated: true, qa_flag: 'V', compliance: 'yes', exceedance: 3 };
  const plain = snapshotDocument();
  // Close together near zero: a map of half the Earth takes seconds.
  const places: Readonly<Record<number, PlainDocument>> = {
    1: { latitude: 0.803179, longitude: 0.400152 },
    2: { latitude: 0.32, longitude: 1.9, municipality: 'Ниш' },
  };
  const more = (list: unknown): PlainDocument[] =>
    (list as readonly PlainDocument[]).map((one) => ({ ...one, ...forbidden, extra: [forbidden] }));
  const station = (id: number, members: PlainDocument): PlainDocument => ({
    station_id: id,
    station_name: `Stanica ${id}`,
    station_code: `RS${id}`,
    organization_id: 1,
    network_id: 2,
    ...forbidden,
    ...members,
  });
  return snapshotDocument({
    organizations: more(plain['organizations']),
    networks: more(plain['networks']),
    components: [
      ...more(plain['components']),
      { component_id: 20, short_name: ' Угљен ', unit: ' mg.m-3 ', description: ' Гас ' },
      ...ODD_CODES.map((code, at) => ({
        ...forbidden,
        component_id: 21 + at,
        short_name: code,
        unit: 'V',
      })),
    ],
    stations: [
      ...more(plain['stations']).map((one) => ({ ...one, ...places[Number(one['station_id'])] })),
      station(3, { municipality: 'Čačak', station_type: 'traffic', latitude: 0, longitude: 0 }),
      station(4, { station_type: 'urban', latitude: 0.80318, longitude: 0.4, active: false }),
      station(5, {
        municipality: ' BEOGRAD',
        station_type: 'industrial',
        notes: ' ',
        address: 'Trg 1',
      }),
      station(6, { latitude: -0.5, longitude: -1.5, elevation_m: -1.25, end_date: '2026-01-01' }),
    ],
    measurements: [
      ...(plain['measurements'] as readonly PlainDocument[]),
      { station_id: 1, component_id: 1, date: '2026-08-30', time: '05:00', value: 4, ...forbidden },
      { station_id: 3, component_id: 1, date: '2026-08-30', time: '05:00', value: null },
      { station_id: 3, component_id: 1, date: '2026-08-30', time: '06:00', value: null },
      { station_id: 4, component_id: 1, date: '2026-08-10', time: '23:00', value: 1 },
      { station_id: 4, component_id: 1, date: '2026-09-10', time: '00:00', value: 1 },
      ...ODD_CODES.flatMap((_, at) => rowsOf(21 + at, at === 0 ? 216 : 2)),
    ],
    ...overrides,
  });
}

/** Rows of the last hours of station 6; one in eleven is null. */
function rowsOf(component: number, hours: number): readonly PlainDocument[] {
  return Array.from({ length: hours }, (_, at) => {
    const start = new Date(Date.parse('2026-09-10T00:00:00Z') - (at + 1) * 3_600_000).toISOString();
    return {
      station_id: 6,
      component_id: component,
      date: start.slice(0, 10),
      time: start.slice(11, 16),
      value: at % 11 === 10 ? null : Number((component + Math.sin(at)).toPrecision(6)),
    };
  });
}
