/** A snapshot document as the references read it: with `JSON.parse`, whole, and without any of the service's code. */
import { gunzipSync } from 'node:zlib';

/** A row of the document; the benches' documents have one for each hour, and no times of publication. */
interface DocumentRow {
  /** `YYYY-MM-DD` and `HH:MM`, UTC. */
  readonly date: string;
  readonly time: string;
  readonly value: number | null;
}

/** The rows of one station and parameter, ascending by time. */
export interface DocumentSeries {
  readonly stationId: number;
  readonly parameterCode: string;
  readonly unit: string;
  readonly rows: readonly DocumentRow[];
}

export interface DocumentContent {
  readonly snapshotId: string;
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly generatedAt: string;
  /** By station, then by parameter code. */
  readonly series: readonly DocumentSeries[];
}

interface PlainDocument {
  readonly snapshot_id: string;
  readonly generated_at: string;
  readonly components: readonly Component[];
  readonly measurements: readonly (DocumentRow & {
    readonly station_id: number;
    readonly component_id: number;
  })[];
}

interface Component {
  readonly component_id: number;
  readonly short_name: string;
  readonly unit: string;
}

/** Reads a gzipped document all of whose rows are public and not older than 30 days, as the benches' are. */
export function parseDocument(bytes: Uint8Array): DocumentContent {
  const document = JSON.parse(gunzipSync(bytes).toString()) as PlainDocument;
  const components = new Map(document.components.map((one) => [one.component_id, one]));
  const series = new Map<number, DocumentSeries & { readonly rows: DocumentRow[] }>();
  for (const row of document.measurements) {
    const key = row.station_id * 65_536 + row.component_id;
    let own = series.get(key);
    if (own === undefined) {
      const component = components.get(row.component_id);
      if (component === undefined) throw new Error(`no component ${row.component_id}`);
      const { short_name: parameterCode, unit } = component;
      own = { stationId: row.station_id, parameterCode, unit, rows: [] };
      series.set(key, own);
    }
    own.rows.push(row);
  }
  return {
    snapshotId: document.snapshot_id,
    generatedAt: document.generated_at.replace('.000Z', 'Z'),
    series: [...series.values()].sort(
      (a, b) => a.stationId - b.stationId || (a.parameterCode < b.parameterCode ? -1 : 1),
    ),
  };
}
