/** A swap behind the caches of nginx and Varnish: no answer is mixed, and soon none is from the old snapshot. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { generateDocument } from '../../../support/documents/documents.js';
import { ask } from '../../support/proxies/ask.js';
import { startInstances } from '../../support/proxies/instances.js';
import { startProxy } from '../../support/proxies/proxies.js';
import { snapshotIdsOf, startWitnesses } from '../../support/proxies/witness.js';
import { activated } from '../../../support/service/serve-documents.js';
import { activate, eventually, publish } from '../../../support/service/service.js';

/** How long nginx keeps an answer of 5 s at most, for it counts whole seconds: docs/operations/proxies.md. */
const KEPT_MS = 6_000;

void t.test('clients of two caches see a publish, and going back', async (t) => {
  const document = (snapshotId: string, seed: number) => generateDocument({ snapshotId, seed });
  const instances = await startInstances(t, document('old', 1));
  const ports = [instances[0].port, instances[1].port] as const;
  const [nginx, varnish] = await Promise.all([
    startProxy(t, 'nginx', ports),
    startProxy(t, 'varnish', ports),
  ]);
  const witnesses = startWitnesses([nginx, varnish]);
  for (const cache of [nginx, varnish]) t.same(await snapshotIdsOf(cache), ['old'], cache.name);

  const swapTo = async (id: string, move: () => Promise<unknown>): Promise<void> => {
    const from = instances.map(({ lines }) => lines.length);
    await move();
    // The script that an operator's publishing job ends with.
    const told = promisify(execFile)('deploy/proxies/after-publish.sh', [id], {
      env: {
        PATH: process.env['PATH'] ?? '',
        INSTANCES: instances.map(({ url }) => url).join(' '),
        CACHES: `http://127.0.0.1:${varnish.port}`,
        WAIT_SECONDS: '60',
      },
    });
    await Promise.all(
      instances.map((instance, at) => activated(instance, { snapshot_id: id }, from[at] ?? 0)),
    );
    const swappedAt = performance.now();
    await told;
    t.same(await snapshotIdsOf(varnish), [id], 'Varnish, when the script is done');
    await after(Math.max(0, swappedAt + KEPT_MS + 500 - performance.now()));
    t.same(await snapshotIdsOf(nginx), [id], 'nginx');
  };
  await swapTo('new', () => publish(instances[0], document('new', 2)));
  await swapTo('old', () => activate(instances[0], 'old'));

  await witnesses.stop();
  t.same(witnesses.failures.slice(0, 5), [], `of ${witnesses.answers} answers`);
  t.ok(witnesses.answers > 200, `${witnesses.answers} answers`);
});

void t.test('where no instance has data, what needs none is answered', async (t) => {
  const document = generateDocument({ snapshotId: 'withdrawn' });
  const instances = await startInstances(t, document, { expect: ['unavailable'] });
  await rm(join(instances[0].published, 'active.json'));
  for (const name of ['nginx', 'haproxy', 'varnish'] as const) {
    const proxy = await startProxy(t, name, [instances[0].port, instances[1].port]);
    await eventually(`${name} passes the refusal on`, async () => {
      const { status, headers } = await ask(proxy, '/meta');
      return status === 503 && headers['content-type'] === 'application/json';
    });
    t.equal((await ask(proxy, '/legal/license')).status, 200, name);
  }
});
