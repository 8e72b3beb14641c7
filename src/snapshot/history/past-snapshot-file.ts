/**
 * Encodes a past snapshot as one small file: a line of JSON (the head) with its identity and a digest; then compressed
 * bytes: lists as JSON, and the columns as in memory.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sha256Of } from '../domain/digest.js';
import { numberMember, parseMembers, textMember } from '../domain/json-members.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import type { SelectableStation } from '../domain/selection.js';
import { wholeHours } from '../domain/windows.js';
import type { PastHead } from './history.js';
import type { PastSnapshot } from './past-snapshot.js';

/** Incremented when older files would be misread. */
const FORMAT = 3;

/** Limit of the first line: an id of 128 characters, two digests and a few numbers. */
export const HEAD_BYTES_MAX = 640;

/** Compression level. At level 1, 111,250 rows take 165 kB and 10 ms; level 6 takes six times as long for 123 kB. */
const LEVEL = 1;

const LINE_END = 0x0a;

const UNKNOWN = {
  municipality: undefined,
  stationType: undefined,
  latitude: undefined,
  longitude: undefined,
};

/** A station without the members whose values are unknown: JSON omits undefined values. */
type StoredStation = Pick<SelectableStation, 'id' | 'active'> & Partial<SelectableStation>;

interface Lists {
  readonly stations: readonly StoredStation[];
  readonly parameterCodes: readonly string[];
  readonly series: readonly (readonly [stationId: number, code: number, rows: number])[];
  /** `hourShift` of the snapshot; undefined: 0. */
  readonly shift?: number | undefined;
}

export function encodePastSnapshot(past: PastSnapshot): Uint8Array {
  const { snapshotId, documentSha256, stations, parameterCodes } = past;
  const { generatedAtMs, measurementRows } = past;
  const codes = new Map(parameterCodes.map((code, at) => [code, at]));
  const firstHour = past.series[0]?.hours[0] ?? 0;
  const lists: Lists = {
    shift: firstHour - Math.floor(firstHour) || undefined,
    stations,
    parameterCodes,
    series: past.series.map(({ stationId, parameterCode, hours }) => {
      const code = codes.get(parameterCode);
      if (code === undefined) throw new RangeError(`no parameter ${parameterCode}`);
      return [stationId, code, hours.length];
    }),
  };
  const text = Buffer.from(`${JSON.stringify(lists)}\n`);
  // All values, then all hours: most series repeat the hours of the series before, which compress to almost nothing.
  const columns = [
    ...past.series.map(({ values }) => bytesOf(values)),
    ...past.series.map(({ hours }) => bytesOf(wholeHours(hours))),
  ];
  const body = deflateRawSync(Buffer.concat([text, ...columns]), { level: LEVEL });
  const proof = { format: FORMAT, bytes: body.byteLength, sha256: sha256Of(body) };
  const name = { snapshotId, documentSha256 };
  const head = JSON.stringify({ ...proof, ...name, generatedAtMs, measurementRows });
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

/** @throws {SnapshotError} `history_damaged` for damaged bytes or another format. */
export function decodePastSnapshot(bytes: Buffer): PastSnapshot {
  try {
    const { head, ...rest } = parseHead(bytes);
    const body = bytes.subarray(bytes.indexOf(LINE_END) + 1);
    if (body.byteLength !== rest.bytes || sha256Of(body) !== rest.sha256)
      throw new RangeError('other bytes than were written');
    const text = inflateRawSync(body);
    const listsEnd = text.indexOf(LINE_END);
    // Format and digest were verified above, so the lists are as `encodePastSnapshot` wrote them.
    const lists = JSON.parse(text.toString('utf8', 0, listsEnd)) as Lists;
    const rows = lists.series.reduce((sum, [, , length]) => sum + length, 0);
    // Doubles must be aligned to eight bytes.
    const columns = Uint8Array.from(text.subarray(listsEnd + 1)).buffer;
    const values = new Float64Array(columns, 0, rows);
    const { parameterCodes, shift = 0 } = lists;
    const whole = new Int32Array(columns, values.byteLength, rows);
    const hours = shift === 0 ? whole : Float64Array.from(whole, (hour) => hour + shift);
    let end = 0;
    return {
      ...head,
      parameterCodes,
      stations: lists.stations.map((station) => ({ ...UNKNOWN, ...station })),
      series: lists.series.map(([stationId, code, length]) => {
        const start = end;
        end += length;
        return {
          stationId,
          parameterCode: parameterCodes[code] ?? '',
          hours: hours.subarray(start, end),
          values: values.subarray(start, end),
        };
      }),
    };
  } catch (cause) {
    throw new SnapshotError('history_damaged', 'a past snapshot cannot be read', { cause });
  }
}

/** The head of a file. @throws {SnapshotError} `history_damaged` if the file is truncated or has another format. */
export function decodePastHead(begin: Buffer, sizeBytes: number): PastHead {
  try {
    const { bytes, head } = parseHead(begin);
    if (begin.indexOf(LINE_END) + 1 + bytes !== sizeBytes) throw new RangeError('it was cut');
    return head;
  } catch (cause) {
    throw new SnapshotError('history_damaged', 'a past snapshot cannot be read', { cause });
  }
}

function parseHead(bytes: Buffer) {
  const members = parseMembers(bytes.subarray(0, bytes.indexOf(LINE_END)));
  if (members['format'] !== FORMAT) throw new TypeError('not a past snapshot of this format');
  return {
    head: {
      snapshotId: textMember(members, 'snapshotId'),
      documentSha256: textMember(members, 'documentSha256'),
      generatedAtMs: numberMember(members, 'generatedAtMs'),
      measurementRows: numberMember(members, 'measurementRows'),
    },
    bytes: numberMember(members, 'bytes'),
    sha256: textMember(members, 'sha256'),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
