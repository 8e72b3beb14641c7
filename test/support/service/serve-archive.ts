/** A running service with an archive in its store, and its cached files. */
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
  document = snapshotDocument(),
): Promise<{ readonly service: Service; readonly archive: StoredArchive }> {
  const service = await startServing(t, document, options);
  const archive = await storeArchive(t, service.published, of);
  await served(service, archive);
  return { service, archive };
}

/** Waits until all files of the archive, and no others, are listed. */
export async function served(
  service: Service,
  { files }: Pick<StoredArchive, 'files'>,
): Promise<void> {
  const wanted = files.map(({ path }) => path);
  await eventually('the archive is served', async () => {
    return (await listedPaths(service)).join() === wanted.join();
  });
}

/** Paths in the index; empty without an archive. */
export async function listedPaths(service: Service): Promise<readonly string[]> {
  const { body } = await get(service, BASE);
  const { files = [] } = JSON.parse(body.toString()) as { files?: readonly StoredFile[] };
  return files.map(({ path }) => path);
}

export async function keptNames(service: Pick<Service, 'copies'>): Promise<readonly string[]> {
  const names = await readdir(join(service.copies, '~archive')).catch(() => []);
  return names.flatMap((name) => /^([0-9a-f]{64})\.kept$/.exec(name)?.[1] ?? []).toSorted();
}

export function keptFile(service: Pick<Service, 'copies'>, { sha256 }: StoredFile): string {
  return join(service.copies, '~archive', `${sha256}.kept`);
}

export function digestsOf(files: readonly StoredFile[]): readonly string[] {
  return files.map(({ sha256 }) => sha256).toSorted();
}
