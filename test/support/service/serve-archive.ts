/** A running service with an archive in its store, and which files of it are kept. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { snapshotDocument } from '../documents/documents.js';
import {
  storeArchive,
  type ArchiveOptions,
  type StoredArchive,
  type StoredFile,
} from '../stores/stored-archive.js';
import { get } from './requests.js';
import { startServing } from './serve-documents.js';
import { eventually, type Service, type ServiceOptions } from './service.js';

const BASE = '/api/v1/archive';
const MONTHS = ['2025-11', '2025-12', '2026-01'];

export async function serveArchive(
  t: Test,
  options: Omit<ServiceOptions, 'root'> = {},
  of: ArchiveOptions = { months: MONTHS },
): Promise<{ readonly service: Service; readonly archive: StoredArchive }> {
  const service = await startServing(t, snapshotDocument(), options);
  const archive = await storeArchive(t, service.published, of);
  await served(service, archive);
  return { service, archive };
}

/** Waits until the index of the archive is served, and its files can be read. */
export async function served(service: Service, { files }: StoredArchive): Promise<void> {
  const [{ path, size_bytes: size } = { path: '', size_bytes: 0 }] = files;
  await eventually('the archive is served', async () => {
    const { body } = await get(service, BASE);
    const { status } = await get(service, `${BASE}/${path}`);
    return (
      body.toString().includes(`"size_bytes":${size}`) && body.includes(path) && status === 200
    );
  });
}

export async function kept(service: Service, files: readonly StoredFile[]): Promise<void> {
  const wanted = digestsOf(files);
  await eventually('the files are kept', async () => {
    const names = await keptNames(service);
    return wanted.every((digest) => names.includes(digest));
  });
}

export async function keptNames(service: Service): Promise<readonly string[]> {
  const names = await readdir(join(service.copies, '~archive')).catch(() => []);
  return names.flatMap((name) => /^([0-9a-f]{64})\.parquet$/.exec(name)?.[1] ?? []).toSorted();
}

export function digestsOf(files: readonly StoredFile[]): readonly string[] {
  return files.map(({ sha256 }) => sha256).toSorted();
}
