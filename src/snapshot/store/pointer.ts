/** The pointer as JSON (`docs/snapshot-format.md, "Pointer"`): decodes stored bytes, encodes new ones. */
import type { Digest } from '../domain/digest.js';
import { countMember, parseMembers, textMember, type JsonMembers } from '../domain/json-members.js';
import { messageOf, SnapshotError } from '../domain/snapshot-error.js';
import { isSnapshotId } from '../domain/snapshot-id.js';

/** Names the active snapshot, with the digest of its stored document (gzip). */
export interface Pointer extends Digest {
  readonly snapshotId: string;
  readonly schemaVersion: string;
  /** Path of the document in the store's namespace, such as `snapshots/ID.json.gz`. */
  readonly document: string;
  /** Epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  /** Withdrawn snapshots, the latest first; instances remove them from their history. */
  readonly removed?: readonly string[];
}

/** Limit of a pointer's text, which usually has some 400 bytes. */
const MAX_POINTER_BYTES = 64 * 1024;

/** Limit of withdrawn ids: at most 52 kB of the pointer. Instances keep only 144 past snapshots. */
const MAX_WITHDRAWN = 400;

export const POINTER_NAME = 'active.json';

const SNAPSHOT_DOCUMENT = /^snapshots\/(.+)\.json\.gz$/;
const DOCUMENT_PATH = /^[A-Za-z0-9._-]{1,160}(?:\/[A-Za-z0-9._-]{1,160}){0,7}$/;
const SHA256 = /^[0-9a-f]{64}$/;
/** Printable ASCII, since unknown versions are also compared and shown. */
const SCHEMA_VERSION = /^[\x21-\x7e]{1,64}$/;
const UTC_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

export function documentPath(snapshotId: string): string {
  return `snapshots/${snapshotId}.json.gz`;
}

/** The snapshot id in the name of a document; undefined for other objects. */
export function snapshotIdOf(name: string): string | undefined {
  const snapshotId = SNAPSHOT_DOCUMENT.exec(name)?.[1];
  return isSnapshotId(snapshotId) ? snapshotId : undefined;
}

/**
 * Decodes a pointer; additional members are ignored.
 *
 * @throws {SnapshotError} `pointer_malformed`, naming the first wrong member.
 */
export function decodePointer(bytes: Uint8Array): Pointer {
  try {
    if (bytes.byteLength > MAX_POINTER_BYTES) {
      throw new TypeError(`it is longer than ${MAX_POINTER_BYTES} bytes`);
    }
    return pointerOf(parseMembers(bytes));
  } catch (cause) {
    const message = `the pointer of the active snapshot is malformed: ${messageOf(cause)}`;
    throw new SnapshotError('pointer_malformed', message, { cause });
  }
}

/** The pointer; undefined if it is missing or malformed, so that it may be replaced. */
export function pointerIn(bytes: Uint8Array | undefined): Pointer | undefined {
  if (bytes === undefined) return undefined;
  try {
    return decodePointer(bytes);
  } catch (error) {
    if (error instanceof SnapshotError) return undefined;
    throw error;
  }
}

/** The pointer with one more withdrawn snapshot. */
export function withdrawing(pointer: Pointer, snapshotId: string): Pointer {
  const others = pointer.removed?.filter((id) => id !== snapshotId) ?? [];
  return { ...pointer, removed: [snapshotId, ...others].slice(0, MAX_WITHDRAWN) };
}

/** @throws {SnapshotError} `document_corrupt` if size or digest differ from the pointer's. */
export function assertDigest(
  pointer: Pick<Pointer, 'document' | keyof Digest>,
  { sizeBytes, sha256 }: Digest,
): void {
  if (sizeBytes === pointer.sizeBytes && sha256 === pointer.sha256) return;
  const received =
    sizeBytes > pointer.sizeBytes ? 'more bytes' : `${sizeBytes} bytes, SHA-256 ${sha256}`;
  const what = `document ${pointer.document} has ${received}`;
  const expected = `${pointer.sizeBytes} bytes, SHA-256 ${pointer.sha256}`;
  throw new SnapshotError('document_corrupt', `${what}; the pointer says ${expected}`);
}

/** The pointer as one line of JSON; `activated_at` in UTC with milliseconds. */
export function encodePointer(pointer: Pointer): string {
  const members = {
    snapshot_id: pointer.snapshotId,
    schema_version: pointer.schemaVersion,
    document: pointer.document,
    size_bytes: pointer.sizeBytes,
    sha256: pointer.sha256,
    activated_at: new Date(pointer.activatedAtMs).toISOString(),
    ...(pointer.removed && pointer.removed.length > 0 && { removed: pointer.removed }),
  };
  return `${JSON.stringify(members)}\n`;
}

function pointerOf(members: JsonMembers): Pointer {
  const snapshotId = members['snapshot_id'];
  if (!isSnapshotId(snapshotId)) throw new TypeError('snapshot_id is not a snapshot id');
  return {
    snapshotId,
    sizeBytes: countMember(members, 'size_bytes'),
    schemaVersion: textMember(members, 'schema_version', SCHEMA_VERSION),
    document: documentOf(members),
    sha256: textMember(members, 'sha256', SHA256),
    activatedAtMs: activatedAtOf(members),
    ...removedOf(members),
  };
}

/** Withdrawn ids, without invalid ones. */
function removedOf({ removed }: JsonMembers): Pick<Pointer, 'removed'> {
  const ids = Array.isArray(removed) ? removed.filter(isSnapshotId) : [];
  return ids.length === 0 ? {} : { removed: ids };
}

/** Path of the document, with plain segments only: it is joined to a directory or URL, and must stay below that. */
function documentOf(members: JsonMembers): string {
  const path = textMember(members, 'document', DOCUMENT_PATH);
  if (!path.split('/').some((segment) => segment === '.' || segment === '..')) return path;
  throw new TypeError("document leaves the store's namespace");
}

function activatedAtOf(members: JsonMembers): number {
  const milliseconds = Date.parse(textMember(members, 'activated_at', UTC_TIMESTAMP));
  if (Number.isNaN(milliseconds)) throw new TypeError('activated_at is not a date and time');
  return milliseconds;
}
