/** Reads daily values from files of the archive: only the row groups that may have them. The door to hyparquet. */
import { parquetMetadataAsync, parquetReadObjects, type ParquetQueryFilter } from 'hyparquet';
import {
  readArchiveFile,
  type ArchiveSource,
  type ServedFile,
} from '../../../snapshot/archive/read-archive.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import type { DailyRow } from '../../../views/hvd/archive.js';

export interface DailySelection {
  readonly stationId: number;
  readonly parameterCodes: readonly string[] | undefined;
  /** Days since the epoch, UTC, half-open. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

const DAY_MS = 86_400_000;

/**
 * The rows of one station in a file, some at a time, in its order; the footer is read once.
 *
 * @throws {SnapshotError} `store_unreachable`.
 */
export function openDaily(
  source: ArchiveSource,
  file: ServedFile,
): (selection: DailySelection) => AsyncGenerator<readonly DailyRow[], void, undefined> {
  const buffer = {
    byteLength: file.sizeBytes,
    slice: (from: number, to = file.sizeBytes) => readRange(source, file, { from, to }),
  };
  let footer: ReturnType<typeof parquetMetadataAsync> | undefined;
  return async function* (selection) {
    const metadata = await (footer ??= parquetMetadataAsync(buffer));
    const filter = filterOf(selection);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const range = { file: buffer, metadata, filter, rowStart, rowEnd };
      // The columns are those that the archive is written with.
      yield (await parquetReadObjects(range)) as unknown as readonly DailyRow[];
      rowStart = rowEnd;
    }
  };
}

async function readRange(
  source: ArchiveSource,
  file: ServedFile,
  range: { readonly from: number; readonly to: number },
): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(range.to - range.from);
  let length = 0;
  for await (const chunk of readArchiveFile(source, file, range)) {
    bytes.set(chunk, length);
    length += chunk.byteLength;
  }
  if (length === bytes.byteLength) return bytes.buffer;
  throw new SnapshotError('store_unreachable', `${file.path} is not as long as its index says`);
}

function filterOf({ stationId, parameterCodes, from, to }: DailySelection): ParquetQueryFilter {
  const codes = parameterCodes && [{ parameter_code: { $in: [...parameterCodes] } }];
  const first = from === undefined ? [] : [{ date: { $gte: new Date(from * DAY_MS) } }];
  const end = to === undefined ? [] : [{ date: { $lt: new Date(to * DAY_MS) } }];
  return { $and: [{ station_id: { $eq: String(stationId) } }, ...(codes ?? []), ...first, ...end] };
}
