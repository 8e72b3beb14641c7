/** One service for all tests of a process that only read what it serves: the files `*.reads.ts`. */
import t from 'tap';
import { variedDocument } from '../documents/varied-document.js';
import { startServing } from './serve-documents.js';
import { storeArchive } from '../stores/stored-archive.js';
import { get } from './requests.js';
import { eventually, type Service } from './service.js';

let started: Promise<Service> | undefined;

/** The service of `variedDocument` and of an archive, with the default settings; it is stopped when the process ends. */
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
