/**
 * Runs all `*.reads.ts` in this process, one after the other, most of them with one service, which they only read. Each
 * also runs alone (`npx tap FILE`), but starting a process and a service takes longer than most of them.
 */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { get } from './support/service/requests.js';
import { sharedService } from './support/service/shared-service.js';

// This file lies above them, so that one of the longest tests begins among the first.
const folder = new URL('service/', import.meta.url);
const files = await readdir(fileURLToPath(folder), { recursive: true });
for (const file of files.filter((name) => name.endsWith('.reads.js')).sort()) {
  await import(new URL(file, folder).href);
}

void t.test('after all of them the service is as it was', async (t) => {
  const service = await sharedService();
  t.equal((await get(service, '/health/ready')).status, 200);
  t.equal(service.plainLines.length, 1, 'all that it logged is JSON');
  t.equal(service.stderr(), '');
  t.same(await service.stop(), { code: 0, signal: null });
});
