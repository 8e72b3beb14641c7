/** Two real instances of one store, as they run behind a proxy. */
import { join } from 'node:path';
import type { Test } from 'tap';
import type { PlainDocument } from '../../../support/documents/documents.js';
import {
  makeRoot,
  publish,
  startService,
  type Service,
  type ServiceOptions,
} from '../../../support/service/service.js';
import { SITE } from './certificate.js';

/** Settings of an instance for the examples in `deploy/proxies/`. */
const BEHIND_A_PROXY = { TRUST_PROXY: '1', PUBLIC_BASE_URL: `https://${SITE}` };

/** Publishes a document, and waits until two instances serve it. */
export async function startInstances(
  t: Test,
  document: PlainDocument | AsyncIterable<Uint8Array>,
  options: Pick<ServiceOptions, 'expect'> = {},
): Promise<readonly [Service, Service]> {
  const root = await makeRoot(t);
  await publish({ root }, document);
  return await Promise.all([
    startInstance(t, root, { name: 'first', ...options }),
    startInstance(t, root, { name: 'second', ...options }),
  ]);
}

interface InstanceOptions extends Pick<ServiceOptions, 'expect'> {
  readonly name: string;
  /** Default: a free port. */
  readonly port?: number;
}

/** Starts an instance, or starts it again on the port that it had. */
export async function startInstance(
  t: Test,
  root: string,
  { name, port = 0, ...options }: InstanceOptions,
): Promise<Service> {
  const LOCAL_DIR = join(root, name);
  const env = { ...BEHIND_A_PROXY, LOCAL_DIR, PORT: String(port), POINTER_POLL_SECONDS: '0.05' };
  const service = await startService(t, { root, env, ...options });
  await service.waitForLog('activated');
  return service;
}
