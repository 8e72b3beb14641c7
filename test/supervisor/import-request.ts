/** Requests for imports of documents that tests publish. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { ImportRequest } from '../../src/workers/messages.js';
import { activePointer, makeRoot, publish } from '../support/service/service.js';

/** How imports run that nobody calls off. */
export const PATIENT = { deadlineMs: 60_000, signal: new AbortController().signal };

export async function requestFor(
  t: Test,
  document: Parameters<typeof publish>[1],
): Promise<ImportRequest> {
  const root = await makeRoot(t);
  await publish({ root }, document);
  await mkdir(join(root, 'local'));
  return {
    store: { address: `file:${join(root, 'store')}`, keyPrefix: 'demo' },
    pointer: await activePointer({ root }),
    expectedSchemaVersion: '1.2.0',
    build: 'abcd0123',
    directory: join(root, 'local'),
    threads: 1,
  };
}
