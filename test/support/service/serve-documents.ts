/** A running service with an active document. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { buildDocument } from '../../../src/publishing/tables/build-document.js';
import type { PlainDocument } from '../documents/documents.js';
import { placeStoredCopy, storeCopy } from './imported-copies.js';
import {
  activePointer,
  makeRoot,
  publish,
  startService,
  type LogLine,
  type Service,
  type ServiceOptions,
} from './service.js';

/**
 * Publishes a document to a new store, starts a service, and waits until the document is active. The import is skipped
 * where its copy is cached.
 */
export async function startServing(
  t: Test,
  document: PlainDocument | AsyncIterable<Uint8Array>,
  options: Omit<ServiceOptions, 'root'> = {},
): Promise<Service> {
  const root = await makeRoot(t);
  await publish({ root }, document);
  const pointer = await activePointer({ root });
  const copies = join(root, 'local', 'demo');
  await placeStoredCopy(copies, pointer);
  const service = await startService(t, { root, ...options });
  await service.waitForLog('activated');
  await storeCopy(copies, pointer);
  return service;
}

/** Starts a service with the demonstration, whose ids are the examples of the OpenAPI document. */
export async function startDemonstration(
  t: Test,
  options: Omit<ServiceOptions, 'root'> = {},
): Promise<Service> {
  const file = join(await makeRoot(t), 'demo.json');
  await buildDocument({ from: 'data/demo', out: file, demonstration: true });
  return await startServing(t, createReadStream(file), options);
}

export async function publishAndServe(service: Service, document: PlainDocument): Promise<void> {
  const from = service.lines.length;
  await publish(service, document);
  await activated(service, document, from);
}

/** Waits for the log line, from index `from` on, of a document's activation. */
export async function activated(
  service: Service,
  document: PlainDocument,
  from: number,
): Promise<LogLine> {
  return await service.waitForLog(
    ({ msg, snapshot_id: id }) => msg === 'activated' && id === document['snapshot_id'],
    from,
  );
}
