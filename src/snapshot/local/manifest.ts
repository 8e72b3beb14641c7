/** The manifest of a local copy: written by the import, and compared with the copy before the copy is opened. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../../files/durable-file.js';
import { Digester, type Digest } from '../domain/digest.js';
import { countMember, textMember, type JsonMembers } from '../domain/json-members.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import type { DocumentName } from '../domain/snapshot-id.js';
import { ENVIRONMENT_FILE } from './environment.js';
import { MANIFEST_FILE, readJsonFile } from './own-files.js';
import { readFailure } from './read-failure.js';

/** Incremented when older copies would be misread. */
const FORMAT = 11;

/** The origin of a local copy; size and digest are those of the environment's file. */
export interface CopyManifest extends Digest, DocumentName {
  readonly build: string;
  readonly schemaVersion: string;
}

/** Flushes and hashes the finished environment; writes and flushes its manifest. */
export async function sealCopy(
  directory: string,
  source: Omit<CopyManifest, keyof Digest>,
): Promise<CopyManifest> {
  const path = join(directory, ENVIRONMENT_FILE);
  // Nothing else flushes the environment, so a failure to write shows only here.
  const [digest] = await Promise.all([hashFile(path), flushFile(path)]);
  const manifest: CopyManifest = { ...source, ...digest };
  const text = JSON.stringify({ format: FORMAT, ...manifest });
  await writeDurably(join(directory, MANIFEST_FILE), text);
  return manifest;
}

/**
 * Verifies that a copy's file has the sealed size and SHA-256, and returns the manifest.
 *
 * @throws {SnapshotError} `copy_damaged`: no manifest, another format, or other bytes; `copy_unreadable`.
 */
export async function verifyCopy(directory: string): Promise<CopyManifest> {
  const manifest = await readManifest(directory);
  const path = join(directory, ENVIRONMENT_FILE);
  const digest = await hashFile(path).catch((cause: unknown) => {
    throw readFailure(path, cause, 'copy_damaged');
  });
  if (digest.sizeBytes !== manifest.sizeBytes || digest.sha256 !== manifest.sha256) {
    throw new SnapshotError(
      'copy_damaged',
      `${directory}: ${ENVIRONMENT_FILE} has ${digest.sizeBytes} bytes, SHA-256 ${digest.sha256}; ` +
        `expected ${manifest.sizeBytes} bytes, SHA-256 ${manifest.sha256}`,
    );
  }
  return manifest;
}

/** The unverified manifest of a copy just sealed. @throws {SnapshotError} `copy_damaged`, `copy_unreadable`. */
export async function readManifest(directory: string): Promise<CopyManifest> {
  const manifest = await readJsonFile(join(directory, MANIFEST_FILE), manifestOf);
  if (manifest !== undefined) return manifest;
  throw new SnapshotError('copy_damaged', `${directory} holds no complete copy`);
}

function manifestOf(members: JsonMembers): CopyManifest {
  if (members['format'] !== FORMAT) throw new TypeError(`not of format ${FORMAT}`);
  return {
    snapshotId: textMember(members, 'snapshotId'),
    build: textMember(members, 'build'),
    schemaVersion: textMember(members, 'schemaVersion'),
    documentSha256: textMember(members, 'documentSha256'),
    sizeBytes: countMember(members, 'sizeBytes'),
    sha256: textMember(members, 'sha256'),
  };
}

async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Bytes of one read into a reused buffer; a new buffer for each read takes half as much time again. */
const READ_BYTES = 1024 * 1024;

async function hashFile(path: string): Promise<Digest> {
  const digester = new Digester();
  const file = await open(path, 'r');
  try {
    const buffer = new Uint8Array(READ_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES);
      if (bytesRead === 0) return digester.digest();
      digester.add(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
