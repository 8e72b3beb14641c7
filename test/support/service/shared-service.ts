/** One service for all tests of a process that only read what it serves: the files `*.reads.ts`. */
import t from 'tap';
import { variedDocument } from '../documents/varied-document.js';
import { startServing } from './serve-documents.js';
import type { Service } from './service.js';

let started: Promise<Service> | undefined;

/** The service of `variedDocument`, with the default settings; it is stopped when the process ends. */
export function sharedService(): Promise<Service> {
  started ??= startServing(t, variedDocument());
  return started;
}
