/** Station and parameter records: what they hold, and their CSV and GeoJSON as other programs read them. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { FORBIDDEN_FIELDS } from '../../../src/snapshot/domain/model.js';
import { csvLine, renderCsv } from '../../../src/views/csv.js';
import { viewBulkIndex } from '../../../src/views/hvd/bulk.js';
import { viewDescriptor } from '../../../src/views/hvd/descriptor.js';
import { fieldNames, HVD_COMPONENTS, HVD_FIELDS } from '../../../src/views/hvd/fields.js';
import { renderGeoJson } from '../../../src/views/hvd/geojson.js';
import { viewHvdParameters } from '../../../src/views/hvd/parameter.js';
import { viewHvdStations } from '../../../src/views/hvd/station.js';
import { anyText } from '../../support/documents/any-text.js';
import { components, header, organizations, stations } from '../../support/expected/hvd.js';

const stationRecords = viewHvdStations(stations, { header, organizations });
const parameterRecords = viewHvdParameters(components);

void t.test('a station of which all is known fills every field', (t) => {
  t.strictSame(stationRecords[0], {
    station_id: '1',
    station_name: 'Kikinda Centar',
    station_code: 'RS0001A',
    latitude: 45.821483,
    longitude: 20.454008,
    municipality: 'Kikinda',
    station_type: 'background',
    operator: 'Agencija za zaštitu životne sredine',
    active: false,
    last_updated_utc: '2026-09-10T12:30:00Z',
    elevation_m: 78,
    address: 'Svetosavska bb',
    start_date: '2008-02-29',
    end_date: '2025-12-31',
    notes: 'prva linija\r\ndruga "linija", kraj',
    network_id: 7,
    network_code: 'DMKV',
  });
  t.end();
});

void t.test(
  'what is not known of a station is null, and its operator is its own organization',
  (t) => {
    const record = stationRecords[1];
    const unknown = [
      'municipality',
      'station_type',
      'elevation_m',
      'address',
      'start_date',
    ] as const;
    for (const name of [...unknown, 'end_date', 'notes'] as const) t.equal(record?.[name], null);
    t.equal(record?.operator, 'Zavod "Čist vazduh", Niš | a_b');
    t.throws(() => viewHvdStations(stations, { header, organizations: [] }), RangeError);
    t.end();
  },
);

void t.test('parameters ascend by code, named by it where they have no name', (t) => {
  t.strictSame(
    parameterRecords.map((record) => [record.parameter_code, record.parameter_name]),
    [
      ['Ethyl benzene', 'Etilbenzen'],
      ['PM10', 'PM10'],
      ['PM2.5', 'PM2.5'],
      ['SO2', 'SO2'],
    ],
  );
  t.strictSame(parameterRecords[3], {
    parameter_code: 'SO2',
    parameter_name: 'SO2',
    unit: 'ug.m-3',
    averaging_period: '1h',
    cas_number: '7446-09-5',
    description: 'Sumpor-dioksid, gas',
  });
  t.end();
});

void t.test('keys of every record are those of the table, in its order', (t) => {
  for (const record of stationRecords) t.strictSame(Object.keys(record), fieldNames('stations'));
  for (const record of parameterRecords) {
    t.strictSame(Object.keys(record), fieldNames('parameters'));
  }
  t.end();
});

void t.test('the table of fields has the fields of the standard', (t) => {
  const counts = HVD_COMPONENTS.map((component) => HVD_FIELDS[component].length);
  t.strictSame(counts, [17, 6, 11]);
  const names = HVD_COMPONENTS.flatMap((component): readonly string[] => fieldNames(component));
  for (const forbidden of FORBIDDEN_FIELDS) t.notOk(names.includes(forbidden), forbidden);
  t.end();
});

void t.test('csv-parse reads the records back from CSV', (t) => {
  const files = [
    { columns: fieldNames('stations'), records: stationRecords },
    { columns: fieldNames('parameters'), records: parameterRecords },
  ];
  for (const { columns, records } of files) {
    const rows: unknown = parse(renderCsv<string>(columns, records), { record_delimiter: '\r\n' });
    const expected = records.map((record) =>
      Object.values(record).map((value) => (value === null ? '' : String(value))),
    );
    t.strictSame(rows, [columns, ...expected]);
  }
  t.end();
});

void t.test('a CSV line quotes only what needs it, and keeps any text', (t) => {
  t.equal(
    csvLine(['=1+1', ' a ', 'a,b', '"', '', null, true, -0.5, 1e21]),
    '=1+1, a ,"a,b","""","",,true,-0.5,1e+21\r\n',
  );
  fc.assert(
    fc.property(fc.array(anyText(), { minLength: 1 }), (cells) => {
      const [row] = parse(csvLine(cells), { record_delimiter: '\r\n', relax_column_count: true });
      t.strictSame(row, cells);
    }),
    { numRuns: 50 },
  );
  t.end();
});

void t.test('GeoJSON has a feature for every station, longitude first, null where unknown', (t) => {
  const collection: unknown = JSON.parse(renderGeoJson(stationRecords));
  t.match(collection, {
    type: 'FeatureCollection',
    bbox: [-70, -0.5, 20.454008, 45.821483],
    features: [
      {
        type: 'Feature',
        id: '1',
        geometry: { type: 'Point', coordinates: [20.454008, 45.821483] },
      },
      { type: 'Feature', id: '2', geometry: { type: 'Point', coordinates: [-70, -0.5] } },
      { type: 'Feature', id: '36', geometry: null },
      {
        type: 'Feature',
        id: '106',
        geometry: { type: 'Point', coordinates: [19.84119, 45.245065] },
      },
    ],
  });
  t.match(collection, { features: stationRecords.map((properties) => ({ properties })) });
  t.notOk(renderGeoJson(stationRecords).includes('"crs"'));
  t.notOk(renderGeoJson(stationRecords.slice(2, 3)).includes('"bbox"'));
  t.end();
});

void t.test('the descriptor has all of its members', (t) => {
  t.strictSame(viewDescriptor(header), {
    snapshot_schema_version: '1.2.0',
    hvd_schema_version: '1.0',
    schema_version: '1.0',
    dataset_version: '1.0',
    snapshot_id: '20260910T123000Z-test',
    generated_at_utc: '2026-09-10T12:30:00Z',
    retention_days: 30,
    data_status: 'preliminary',
    aggregation_type: 'hourly_mean',
    averaging_period: '1h',
    supported_windows: ['1h', '1d', '7d', '14d', '30d'],
    counts: header.counts,
    applicable_legislation: 'http://data.europa.eu/eli/reg_impl/2023/138/oj',
    license: {
      name: 'Otvoreni podaci po Zakonu o e-upravi (CC BY-equivalent)',
      url: '/legal/license',
    },
    links: {
      license: '/legal/license',
      terms: '/legal/terms',
      qos: '/legal/qos',
      contact: '/legal/contact',
      dataset: '/legal/dataset',
      docs: '/docs',
      redoc: '/redoc',
      openapi: '/openapi.json',
    },
  });
  t.end();
});

void t.test('the bulk index lists finished files in the order of the table', (t) => {
  const index = viewBulkIndex(header, [
    { name: 'SHA256SUMS', sizeBytes: 7, sha256: 'b'.repeat(64) },
    { name: 'stations.geojson', sizeBytes: 5, sha256: 'a'.repeat(64) },
  ]);
  t.match(index, {
    snapshot_id: '20260910T123000Z-test',
    generated_at_utc: '2026-09-10T12:30:00Z',
    resources: [
      {
        name: 'stations.geojson',
        format: 'geojson',
        content_type: 'application/geo+json',
        size_bytes: 5,
        sha256: 'a'.repeat(64),
        download_url: '/api/v1/bulk/stations.geojson',
      },
      { name: 'SHA256SUMS', format: 'sha256', size_bytes: 7 },
    ],
  });
  t.end();
});

void t.test('no record, file or descriptor names a forbidden field', (t) => {
  const texts = [
    JSON.stringify([stationRecords, parameterRecords, viewDescriptor(header)]),
    renderCsv(fieldNames('stations'), stationRecords),
    renderGeoJson(stationRecords),
  ];
  for (const name of FORBIDDEN_FIELDS)
    t.notOk(
      texts.some((text) => text.includes(name)),
      name,
    );
  t.end();
});
