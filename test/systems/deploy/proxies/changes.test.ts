/** Swaps, and instances that end and come back, behind proxies: no client notices more than the new data. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { generateDocument } from '../../../support/documents/documents.js';
import { casesOf } from '../../../support/readers/cases.js';
import {
  ask,
  startInstance,
  startInstances,
  startProxy,
  type Proxy,
} from '../../support/proxies/proxies.js';
import { childrenOf } from '../../../support/service/children.js';
import { activated } from '../../../support/service/serve-documents.js';
import { activate, eventually, publish, type Service } from '../../../support/service/service.js';

/** How long nginx keeps an answer of 5 s at most, for it counts whole seconds: docs/operations/proxies.md. */
const KEPT_MS = 6_000;

/** Requests with small answers, which come whole or not at all. */
const REQUESTS = casesOf('targets', 'small').flatMap((path) =>
  ['gzip', 'identity'].map((coding) => [path, coding] as const),
);

/** Clients of each proxy, and the pause of each between requests, far below the examples' limits. */
const CLIENTS = 4;
const PAUSE_MS = 30;

void t.test('what clients of two instances see', async (t) => {
  const document = (snapshotId: string, seed: number) => generateDocument({ snapshotId, seed });
  const instances = await startInstances(t, document('old', 1));
  const [first, second] = instances;
  const ports = [first.port, second.port] as const;
  const nginx = await startProxy(t, 'nginx', ports);
  const caddy = await startProxy(t, 'caddy', ports);
  const varnish = await startProxy(t, 'varnish', ports);
  await t.test('of a publish, and of going back', async (t) => {
    const witnesses = startWitnesses([nginx, caddy, varnish]);
    const where = {
      INSTANCES: instances.map(({ url }) => url).join(' '),
      CACHES: `http://127.0.0.1:${varnish.port}`,
    };
    const swapTo = async (id: string, move: () => Promise<unknown>): Promise<void> => {
      const from = instances.map(({ lines }) => lines.length);
      await move();
      // The script that an operator's publishing job ends with.
      const env = { ...where, PATH: process.env['PATH'] ?? '', WAIT_SECONDS: '60' };
      const told = promisify(execFile)('deploy/proxies/after-publish.sh', [id], { env });
      for (const [at, one] of instances.entries()) {
        await activated(one, { snapshot_id: id }, from[at] ?? 0);
      }
      const swappedAt = performance.now();
      await told;
      t.same(await snapshotIdsOf(varnish), [id], 'Varnish, when the script is done');
      await after(Math.max(0, swappedAt + KEPT_MS + 500 - performance.now()));
      t.same(await snapshotIdsOf(nginx), [id], 'nginx');
    };
    await swapTo('new', () => publish(first, document('new', 2)));
    await swapTo('old', () => activate(first, 'old'));
    await witnesses.stop();
    t.same(witnesses.failures.slice(0, 5), [], `of ${witnesses.answers} answers`);
    t.ok(witnesses.answers > 200, `${witnesses.answers} answers`);
  });
  await t.test('of one that is killed, another that stops, and both come back', async (t) => {
    const witnesses = startWitnesses([nginx, caddy]);
    const more = async (): Promise<void> => {
      const answers = witnesses.answers + 150;
      await eventually('clients go on', () => Promise.resolve(witnesses.answers >= answers));
    };
    const restart = async ({ root, port }: Service, name: string): Promise<void> => {
      const { length } = caddy.said();
      await startInstance(t, root, { name, port });
      // Until then it knows only the other one.
      await eventually(`Caddy says that the ${name} is up`, () =>
        Promise.resolve(caddy.said().slice(length).includes('host is up')),
      );
      await more();
    };
    await more();
    // Every process at one time, so that no front drains.
    const children = await childrenOf(first.pid);
    first.signal('SIGSTOP');
    for (const { pid } of children) process.kill(pid, 'SIGKILL');
    await first.kill();
    await more();
    await restart(first, 'first');
    t.same(await second.stop(), { code: 0, signal: null });
    await more();
    await restart(second, 'second');
    await witnesses.stop();
    t.same(witnesses.failures.slice(0, 5), [], `of ${witnesses.answers} answers`);
  });
});

void t.test('where no instance has data, what needs none is answered', async (t) => {
  const document = generateDocument({ snapshotId: 'withdrawn' });
  const instances = await startInstances(t, document, ['unavailable']);
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

/** Clients that ask all the time; what failed, was not answered with 200, or mixes snapshots is a failure. */
function startWitnesses(proxies: readonly Proxy[]) {
  const failures: string[] = [];
  // For one request, a snapshot has one entity tag and one body.
  const known = new Map<string, string>();
  let answers = 0;
  let isOver = false;
  const look = async (proxy: Proxy, at: number, from: string): Promise<void> => {
    const [path, coding] = REQUESTS[at % REQUESTS.length] ?? ['', ''];
    const asking = { headers: { 'accept-encoding': coding }, from };
    const { status, headers, body } = await ask(proxy, path, asking);
    answers += 1;
    const snapshotId = String(headers['x-snapshot-id']);
    const key = `${snapshotId} ${coding} ${path}`;
    const seen = `${String(headers.etag)} ${createHash('sha256').update(body).digest('hex')}`;
    const expected = known.get(key) ?? seen;
    known.set(key, expected);
    const isRight = status === 200 && seen === expected && seen.includes(`"${snapshotId}-`);
    if (!isRight) failures.push(`${proxy.name} ${key}: ${status} ${seen}, not ${expected}`);
  };
  const work = async (proxy: Proxy, client: number): Promise<void> => {
    for (let at = client; !isOver; at += 1) {
      await look(proxy, at, `127.0.0.${20 + client}`).catch((error: unknown) => {
        failures.push(`${proxy.name}: ${String(error)}`);
      });
      await after(PAUSE_MS);
    }
  };
  const working = proxies.flatMap((proxy) =>
    Array.from({ length: CLIENTS }, (_, client) => work(proxy, client)),
  );
  return {
    get answers() {
      return answers;
    },
    failures,
    stop: async (): Promise<void> => {
      isOver = true;
      await Promise.all(working);
    },
  };
}

/** Snapshot ids of the answers to all requests of the witnesses, each sent once through a proxy. */
async function snapshotIdsOf(proxy: Proxy): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const [path, coding] of REQUESTS) {
    const asking = { headers: { 'accept-encoding': coding }, from: '127.0.0.90' };
    ids.add(String((await ask(proxy, path, asking)).headers['x-snapshot-id']));
  }
  return [...ids];
}
