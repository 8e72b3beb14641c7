/** A swap behind proxies that cache answers: no answer is mixed, and soon none is from the old snapshot. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { generateDocument } from '../../../support/documents/documents.js';
import { ask } from '../../support/proxies/ask.js';
import { startInstances } from '../../support/proxies/instances.js';
import { startProxy, type Proxy } from '../../support/proxies/proxies.js';
import { snapshotIdsOf, startWitnesses, type Seen } from '../../support/proxies/witness.js';
import { activated } from '../../../support/service/serve-documents.js';
import { activate, eventually, publish, type Service } from '../../../support/service/service.js';

const execute = promisify(execFile);

/** How long nginx and HAProxy keep an answer of 5 s at most, for they count whole seconds: docs/operations/proxies.md. */
const KEPT_MS = 6_000;

const ASKER = '127.0.0.90';

void t.test('clients of three caches see a publish, and going back', async (t) => {
  const document = (snapshotId: string, seed: number) => generateDocument({ snapshotId, seed });
  const instances = await startInstances(t, document('old', 1));
  const ports = [instances[0].port, instances[1].port] as const;
  const caches = await Promise.all([
    startProxy(t, 'nginx', ports),
    startProxy(t, 'haproxy', ports),
    startProxy(t, 'varnish', ports),
  ]);
  const varnish = caches[2];
  const others = [caches[0], caches[1]];

  // Answers that belong together: for one target in one form, a snapshot has one entity tag and one body.
  const known = new Map<string, string>();
  const isRight = ({ key, snapshotId, etag, digest }: Seen): boolean => {
    const [name, value] = [`${snapshotId} ${key}`, `${etag} ${digest}`];
    if (!known.has(name)) known.set(name, value);
    return etag.includes(`"${snapshotId}-`) && known.get(name) === value;
  };
  const witnesses = startWitnesses(caches, { clients: 2, isRight });
  for (const cache of caches) t.same(await snapshotIdsOf(cache, ASKER), ['old'], cache.name);

  const swapTo = async (id: string, move: () => Promise<unknown>): Promise<void> => {
    const from = instances.map(({ lines }) => lines.length);
    await move();
    const told = tellVarnish(id, instances, varnish);
    await Promise.all(
      instances.map((instance, at) => activated(instance, { snapshot_id: id }, from[at] ?? 0)),
    );
    const swappedAt = performance.now();
    await told;
    t.same(await snapshotIdsOf(varnish, ASKER), [id], 'Varnish, when the script is done');
    await after(Math.max(0, swappedAt + KEPT_MS + 500 - performance.now()));
    for (const cache of others) t.same(await snapshotIdsOf(cache, ASKER), [id], cache.name);
  };
  await swapTo('new', () => publish(instances[0], document('new', 2)));
  await swapTo('old', () => activate(instances[0], 'old'));

  await witnesses.stop();
  t.same(witnesses.failures.slice(0, 5), [], `of ${witnesses.answers} answers`);
  t.ok(witnesses.answers > 200, `${witnesses.answers} answers`);
  const digests = ['old', 'new'].map((id) => known.get(`${id} gzip /meta`)?.split(' ')[1]);
  t.not(digests[0], digests[1], 'both were seen, and their bodies differ');
});

void t.test('where no instance has data, what needs none is answered', async (t) => {
  const document = generateDocument({ snapshotId: 'withdrawn' });
  const instances = await startInstances(t, document, { expect: ['unavailable'] });
  const ports = [instances[0].port, instances[1].port] as const;
  await rm(join(instances[0].published, 'active.json'));
  for (const name of ['nginx', 'haproxy', 'varnish'] as const) {
    const proxy = await startProxy(t, name, ports);
    await eventually(`${name} passes the refusal on`, async () => {
      const { status, headers } = await ask(proxy, '/meta');
      return status === 503 && headers['content-type'] === 'application/json';
    });
    t.equal((await ask(proxy, '/legal/license')).status, 200, name);
  }
});

/** Runs the script that an operator's publishing job ends with. */
async function tellVarnish(
  id: string,
  instances: readonly Service[],
  varnish: Proxy,
): Promise<void> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    INSTANCES: instances.map(({ url }) => url).join(' '),
    CACHES: `http://127.0.0.1:${varnish.port}`,
    WAIT_SECONDS: '60',
  };
  await execute('deploy/proxies/after-publish.sh', [id], { env });
}
