/** Where in a table something of a built document stands, for messages: the table is read again, because it is seldom asked. */
import type { Place } from '../gates.js';
import type { ListTexts, ReadTable } from './build-lists.js';
import type { Table } from './table-options.js';
import { linesOfRecords } from './table-reader.js';
import type { RowText } from './write-rows.js';
import { Problems } from '../../snapshot/document/problems.js';

/** `FILE, line N`; undefined where it is not there. */
export async function locate(
  place: Place,
  {
    read,
    lists,
    rows,
  }: {
    readonly read: ReadonlyMap<Table, ReadTable>;
    readonly lists: ListTexts;
    /** Reads the measurements again. */
    readonly rows: () => AsyncIterable<RowText>;
  },
): Promise<string | undefined> {
  if (place.kind === 'station') {
    const record = lists.stations.findIndex(
      (json) => (JSON.parse(json) as Record<string, unknown>)['station_id'] === place.id,
    );
    return await lineOf(read.get('stations'), record);
  }
  let record = 0;
  for await (const { json, hour, at } of rows()) {
    if (hour === place.hour) {
      const row = JSON.parse(json) as Record<string, unknown>;
      if (row['station_id'] === place.stationId && row['component_id'] === place.componentId) {
        if (at !== undefined) return `${at.file.name}, line ${at.line}`;
        return await lineOf(read.get('measurements'), record);
      }
    }
    record += 1;
  }
  return undefined;
}

async function lineOf(table: ReadTable | undefined, record: number): Promise<string | undefined> {
  if (table === undefined || record < 0) return undefined;
  const options = { form: table.form, problems: new Problems() };
  const lines = await linesOfRecords(table.file, new Set([record]), options);
  const line = lines.get(record);
  return line === undefined ? undefined : `${table.file.name}, line ${line}`;
}
