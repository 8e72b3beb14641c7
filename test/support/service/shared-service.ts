/** One service for all reading tests of a process, the files `*.reads.ts`. */
import t from 'tap';
import { variedDocument } from '../documents/varied-document.js';
import { startServing } from './serve-documents.js';
import { storeArchive } from '../stores/stored-archive.js';
import { get } from './requests.js';
import { eventually, type Service } from './service.js';

let started: Promise<Service> | undefined;

/** Serves `variedDocument` and an archive with default settings, until the process ends. */
export function sharedService(): Promise<Service> {
  started ??= start();
  return started;
}

async function start(): Promise<Service> {
  const service = await startServing(t, variedDocument());
  await storeArchive(t, service.published, { months: ['2025-12'] });
  await eventually('the archive is served', async () => {
    return (await get(service, '/api/v1/archive')).status === 200;
  });
  return service;
}
