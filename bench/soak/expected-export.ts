/** The expected rows of an export, computed from a document without the service. */
import { EXPORT_COLUMNS } from '../../test/support/expected/expected-export.js';

type Plain = Readonly<Record<string, unknown>>;

interface Point {
  readonly date: string;
  readonly time: string;
  readonly value: number;
}

/** The header row and a row for each point, all cells as text. @param series the expected answer of `/measurements`. */
export function exportTable(document: Plain, series: unknown): readonly (readonly string[])[] {
  const { station_id: stationId, component_id: componentId } = series as Plain;
  const station = entry(document['stations'], 'station_id', stationId);
  const component = entry(document['components'], 'component_id', componentId);
  const organization = entry(
    document['organizations'],
    'organization_id',
    station['organization_id'],
  );
  const network = entry(document['networks'], 'network_id', station['network_id']);
  const rows = readSeriesPoints(series).map(({ date, time, value }) => {
    const rounded = value.toFixed(2);
    const cells: Plain = {
      organization_id: organization['organization_id'],
      organization_name: organization['name'],
      station_id: stationId,
      station_name: station['station_name'],
      station_code: station['station_code'],
      network_id: network['network_id'],
      network_code: network['network_code'],
      date,
      time,
      component_id: componentId,
      component_short_name: component['short_name'],
      unit: component['unit'],
      value: rounded === '-0.00' ? '0.00' : rounded,
    };
    return EXPORT_COLUMNS.map((column) => String(cells[column]).trim());
  });
  return [EXPORT_COLUMNS, ...rows];
}

/** The points of an expected answer of `/measurements`; empty for a missing series. */
export function readSeriesPoints(series: unknown): readonly Point[] {
  return series === undefined ? [] : (series as { readonly points: readonly Point[] }).points;
}

function entry(list: unknown, key: string, id: unknown): Plain {
  const found = (list as readonly Plain[]).find((one) => one[key] === id);
  if (found === undefined) throw new Error(`the document has no ${key} ${String(id)}`);
  return found;
}
