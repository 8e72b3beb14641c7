/** The files of `GET /portal/export`: what they are called, and what they are (spec, "Export"). */
import type { ExportFormat } from '../../views/export-table.js';
import type { SeriesWindow } from '../../snapshot/local/keys.js';

/** `packed`: a ZIP archive, which gzip makes no smaller. */
export const EXPORT_FILES = {
  csv: { contentType: 'text/csv; charset=utf-8', packed: false },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    packed: true,
  },
  ods: { contentType: 'application/vnd.oasis.opendocument.spreadsheet', packed: true },
} as const satisfies Readonly<
  Record<ExportFormat, { readonly contentType: string; readonly packed: boolean }>
>;

interface ExportFile {
  readonly name: string;
  readonly contentType: string;
  readonly packed: boolean;
}

export function exportFile(
  { organizationId, stationId, componentId, window }: SeriesWindow,
  format: ExportFormat,
): ExportFile {
  const name = `bura_${organizationId}_${stationId}_${componentId}_${window}.${format}`;
  return { name, ...EXPORT_FILES[format] };
}
