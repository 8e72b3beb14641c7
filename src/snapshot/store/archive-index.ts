/** The index of the archive (`docs/snapshot-format.md, "Archive"`): files with digests, parsed from stored bytes. */
import type { Digest } from '../domain/digest.js';
import {
  countMember,
  membersOf,
  parseMembers,
  textMember,
  type JsonMembers,
} from '../domain/json-members.js';
import { messageOf, SnapshotError } from '../domain/snapshot-error.js';
import { utcDateTime } from '../domain/windows.js';

export const ARCHIVE_INDEX = 'archive/index.json';

const PATH =
  /^(?:observations\/year=\d{4}\/month=\d\d|daily\/year=\d{4}|monthly|stations|parameters)\/([0-9a-f]{64})\.parquet$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export interface ArchiveFile extends Digest {
  /** Path below `archive/`. The file's name is its digest. */
  readonly path: string;
  /** Starts of the first and last hour or day, `YYYY-MM-DDTHH:MM:SSZ`; null for rows without a time. */
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
}

/** A file of an earlier index, which stays at its address for a day. */
export interface ReplacedFile extends ArchiveFile {
  /** Epoch milliseconds, UTC, to the second. */
  readonly replacedAtMs: number;
}

/** Time for which a replaced file stays in the store. */
export const REPLACED_MS = 24 * 3_600_000;

export interface ArchiveIndex {
  /** Generation time of the newest snapshot: epoch milliseconds, UTC, to the second. */
  readonly generatedAtMs: number;
  /** IANA name of the clock of days and months; undefined in an index of an earlier release, with days of UTC. */
  readonly timeZone?: string | undefined;
  readonly files: readonly ArchiveFile[];
  /** Replaced within the last day, newest first. */
  readonly replaced: readonly ReplacedFile[];
}

export function archiveName({ path }: Pick<ArchiveFile, 'path'>): string {
  return `archive/${path}`;
}

/** Whether an object is an archive file; the index is not. */
export function isArchiveName(name: string): boolean {
  return name.startsWith('archive/') && PATH.test(name.slice('archive/'.length));
}

/** The index as one line of JSON; equal indexes give equal bytes. */
export function encodeArchiveIndex(index: ArchiveIndex): string {
  const { generatedAtMs, timeZone, files, replaced } = index;
  const members = {
    generated_at_utc: utcDateTime(generatedAtMs),
    time_zone: timeZone,
    files: files.map(membersOfFile),
    ...(replaced.length > 0 && {
      replaced: replaced.map(({ replacedAtMs, ...file }) => {
        return { ...membersOfFile(file), replaced_at_utc: utcDateTime(replacedAtMs) };
      }),
    }),
  };
  return `${JSON.stringify(members)}\n`;
}

function membersOfFile({ path, from, to, rows, sizeBytes, sha256 }: ArchiveFile) {
  return { path, from, to, rows, size_bytes: sizeBytes, sha256 };
}

/** Whether an object is damaged or missing, so that the others can still be read. */
export function isDamage(error: unknown): error is SnapshotError {
  return (
    error instanceof SnapshotError && ['archive_damaged', 'snapshot_missing'].includes(error.code)
  );
}

/** Decodes a stored index. @throws {SnapshotError} `archive_damaged`, naming the first wrong member. */
export function decodeArchiveIndex(bytes: Uint8Array): ArchiveIndex {
  try {
    const members = parseMembers(bytes);
    const { time_zone: zone, files, replaced = [] } = members;
    if (!Array.isArray(files)) throw new TypeError('files is not an array');
    if (!Array.isArray(replaced)) throw new TypeError('replaced is not an array');
    const generatedAtMs = Date.parse(textMember(members, 'generated_at_utc', TIME));
    return {
      generatedAtMs,
      timeZone: zone === undefined ? undefined : textMember(members, 'time_zone'),
      files: files.map((file) => fileOf(membersOf(file))),
      replaced: replaced.map((file) => replacedOf(membersOf(file))),
    };
  } catch (cause) {
    const message = `the index of the archive is malformed: ${messageOf(cause)}`;
    throw new SnapshotError('archive_damaged', message, { cause });
  }
}

function replacedOf(members: JsonMembers): ReplacedFile {
  const replacedAtMs = Date.parse(textMember(members, 'replaced_at_utc', TIME));
  return { ...fileOf(members), replacedAtMs };
}

function fileOf(members: JsonMembers): ArchiveFile {
  const path = textMember(members, 'path', PATH);
  const sha256 = textMember(members, 'sha256');
  if (PATH.exec(path)?.[1] !== sha256) throw new TypeError(`${path} is not named by its sha256`);
  const timeOf = (name: string) =>
    members[name] === null ? null : textMember(members, name, TIME);
  return {
    path,
    from: timeOf('from'),
    to: timeOf('to'),
    rows: countMember(members, 'rows'),
    sizeBytes: countMember(members, 'size_bytes'),
    sha256,
  };
}
