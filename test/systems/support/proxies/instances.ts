/** Two real instances of one store, as they run behind a proxy. */
import { join } from 'node:path';
import type { Test } from 'tap';
import type { PlainDocument } from '../../../support/documents/documents.js';
import { makeRoot, publish, startService, type Service } from '../../../support/service/service.js';
import { SITE } from './ask.js';

/** Publishes a document, and waits until two instances serve it. */
export async function startInstances(
  t: Test,
  document: PlainDocument | AsyncIterable<Uint8Array>,
  expect: readonly string[] = [],
): Promise<readonly [Service, Service]> {
  const root = await makeRoot(t);
  await publish({ root }, document);
  return await Promise.all([
    startInstance(t, root, { name: 'first', expect }),
    startInstance(t, root, { name: 'second', expect }),
  ]);
}

/** Starts an instance on a free port, or again on the one that it had. */
export async function startInstance(
  t: Test,
  root: string,
  { name, port = 0, expect = [] }: { name: string; port?: number; expect?: readonly string[] },
): Promise<Service> {
  const settings = { TRUST_PROXY: '1', PUBLIC_BASE_URL: `https://${SITE}` };
  const own = { LOCAL_DIR: join(root, name), PORT: String(port), POINTER_POLL_SECONDS: '0.05' };
  const service = await startService(t, { root, env: { ...settings, ...own }, expect });
  await service.waitForLog('activated');
  return service;
}
