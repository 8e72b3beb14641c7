/** The pointer as JSON (`docs/snapshot-format.md, "Pointer"`): parsed from whatever a store holds, encoded for stores that can be written. */
import { SnapshotError } from '../domain/snapshot-error.js';
import { isSnapshotId } from '../domain/snapshot-id.js';
import type { Pointer } from './store.js';

/** A pointer has some 400 bytes; whatever is longer than this is not one, and is not read to its end. */
export const MAX_POINTER_BYTES = 64 * 1024;

const DOCUMENT_PATH = /^[A-Za-z0-9._-]{1,160}(?:\/[A-Za-z0-9._-]{1,160}){0,7}$/;
const SHA256 = /^[0-9a-f]{64}$/;
/** Printable ASCII: a foreign version is compared and shown, so it need not be one of ours. */
const SCHEMA_VERSION = /^[\x21-\x7e]{1,64}$/;
const UTC_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Where a snapshot's document lies in a store's namespace. */
export function documentPath(snapshotId: string): string {
  return `snapshots/${snapshotId}.json.gz`;
}

/**
 * The pointer in a store's bytes; additional members are ignored.
 *
 * @throws {SnapshotError} `pointer_malformed`, naming the first member that is wrong.
 */
export function decodePointer(bytes: Uint8Array): Pointer {
  if (bytes.byteLength > MAX_POINTER_BYTES) {
    throw malformed(`it is longer than ${MAX_POINTER_BYTES} bytes`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw malformed('it is not JSON in UTF-8', error);
  }
  return parsePointer(value);
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
  };
  return `${JSON.stringify(members)}\n`;
}

function parsePointer(value: unknown): Pointer {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('it is not a JSON object');
  }
  const members: Readonly<Record<string, unknown>> = { ...value };
  const snapshotId = members['snapshot_id'];
  if (!isSnapshotId(snapshotId)) throw malformed('snapshot_id is not a snapshot id');
  const sizeBytes = members['size_bytes'];
  if (typeof sizeBytes !== 'number' || !Number.isSafeInteger(sizeBytes) || sizeBytes < 1) {
    throw malformed('size_bytes is not a positive integer');
  }
  return {
    snapshotId,
    schemaVersion: text(members, 'schema_version', SCHEMA_VERSION),
    document: parseDocumentPath(members),
    sizeBytes,
    sha256: text(members, 'sha256', SHA256),
    activatedAtMs: parseActivatedAt(members),
  };
}

/** Plain segments only: the path is joined to a directory or a URL, and must stay below it. */
function parseDocumentPath(members: Readonly<Record<string, unknown>>): string {
  const path = text(members, 'document', DOCUMENT_PATH);
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw malformed("document leaves the store's namespace");
  }
  return path;
}

function parseActivatedAt(members: Readonly<Record<string, unknown>>): number {
  const milliseconds = Date.parse(text(members, 'activated_at', UTC_TIMESTAMP));
  if (Number.isNaN(milliseconds)) throw malformed('activated_at is not a date and time');
  return milliseconds;
}

function text(members: Readonly<Record<string, unknown>>, name: string, form: RegExp): string {
  const value = members[name];
  if (typeof value !== 'string' || !form.test(value)) {
    throw malformed(`${name} is ${value === undefined ? 'missing' : 'not of the expected form'}`);
  }
  return value;
}

function malformed(why: string, cause?: unknown): SnapshotError {
  return new SnapshotError(
    'pointer_malformed',
    `the pointer of the active snapshot is malformed: ${why}`,
    { cause },
  );
}
