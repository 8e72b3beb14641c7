/** Where the finished text of every series lies in the files of observations: the index of chunks. */

/** The forms in which all observations are stored, each as text and as raw DEFLATE chunks. */
export const FORMS = ['json', 'ndjson'] as const;
export type Form = (typeof FORMS)[number];

/** Records end in `\n` (NDJSON) or `,` (JSON): the same length, so that one index fits both. */
export const RECORD_END: Readonly<Record<Form, string>> = { json: ',', ndjson: '\n' };

export const chunkFile = {
  text: (form: Form): string => `observations.${form}`,
  deflate: (form: Form): string => `observations.${form}.deflate`,
} as const;

/**
 * Hours of one chunk: three days, cut at the same hours in every series.
 *
 * Measured on 34.9 MB of records: chunks of one day compress to 1.9 MB, of three to 1.3 MB, of thirty to 1.0 MB,
 * in the same time; and what a `from` or `to` cuts off is compressed again at request time, half a chunk a series.
 */
const CHUNK_HOURS = 72;

/** One chunk of one series: finished records of consecutive hours, compressed on its own. */
export interface SeriesChunk {
  /** Hours since the epoch, UTC, of its first and its last record. */
  readonly firstHour: number;
  readonly lastHour: number;
  readonly records: number;
  /** In the text file of either form. */
  readonly textOffset: number;
  readonly textBytes: number;
  /** In the DEFLATE file of each form; ends on a full flush. */
  readonly deflate: Readonly<Record<Form, DeflateChunk>>;
}

export interface DeflateChunk {
  readonly offset: number;
  readonly bytes: number;
  /** CRC-32 of the chunk's text in this form. */
  readonly crc32: number;
}

/** In the order of the observations: numeric station id, parameter code, time (`docs/http-api.md, "Order"`). */
export interface SeriesChunks {
  readonly stationId: number;
  readonly componentId: number;
  readonly parameterCode: string;
  readonly chunks: readonly SeriesChunk[];
}

/** The chunk that an hour belongs to: the same for every series. */
export function chunkOfHour(hour: number): number {
  return Math.floor(hour / CHUNK_HOURS);
}
