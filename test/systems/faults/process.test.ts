/** Front processes that are killed and services that are restarted while clients ask. */
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { scaled } from '../../support/faults/chance.js';
import { frontsOf } from '../../support/faults/process-figures.js';
import { holdPort } from '../../support/service/ports.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { startService } from '../../support/service/service.js';
import { startLoad, type Load } from '../../support/service/steady-load.js';

const CLIENTS = 4;

/** Clients that ask for one thing over and over; with `keepAlive` on connections that they keep. */
function startClients(
  service: { readonly port: number },
  { body, keepAlive }: { readonly body: Buffer; readonly keepAlive: boolean },
): Load {
  const requests = [{ method: 'GET', path: '/stations' }];
  return startLoad(service, CLIENTS, { requests, keepAlive, body, expectsFailures: true });
}

/** How the requests have ended that were not answered with 200: with 503, with nobody listening, or in the midst. */
function endsOf({ failures }: Load) {
  const count = (fits: RegExp): number => failures.filter((line) => fits.test(line)).length;
  const refused = count(/ECONNREFUSED/);
  return {
    refused,
    closed: count(/connection: /) - refused,
    broken: count(/: cut off /),
    wrong: count(/another body|: status (?!503)/),
    unavailable: count(/: status 503/),
  };
}

t.jobs = 2;

for (const fronts of [1, 2]) {
  void t.test(`of ${fronts} front(s) one is killed, again and again, under load`, async (t) => {
    const service = await startServing(t, snapshotDocument(), {
      env: { FRONT_PROCESSES: String(fronts) },
      expect: ['front died'],
    });
    const { body } = await get(service, '/stations');
    const clients = startClients(service, { body, keepAlive: false });
    await clients.more(20);
    const gaps: number[] = [];
    const kills = scaled(2);
    for (let turn = 0; turn < kills; turn += 1) {
      const [victim = 0] = await frontsOf(service);
      const from = service.lines.length;
      const killedAt = performance.now();
      process.kill(victim, 'SIGKILL');
      const died = await service.waitForLog('front died', from);
      t.match(died, { front_pid: victim, reason: 'SIGKILL' });
      await clients.more(1);
      gaps.push(Math.round(performance.now() - killedAt));
      await service.waitForLog('front replaced', from);
      await clients.more(20);
    }
    await clients.stop();
    const ends = endsOf(clients);
    t.comment(`${JSON.stringify(ends)}, answers again after ${gaps.join(', ')} ms`);
    t.equal(ends.wrong, 0);
    const lost = ends.closed + ends.broken;
    t.ok(lost <= kills * CLIENTS, `${lost} lost: each client what it had asked the dead one`);
    if (fronts > 1) t.equal(ends.refused, 0, 'nobody is refused while another one listens');
  });
}

void t.test('a restart under load breaks off no answer', async (t) => {
  const port = await holdPort(t);
  const env = { PORT: String(port) };
  let service = await startServing(t, snapshotDocument(), { env });
  const { body } = await get(service, '/stations');
  const clients = startClients(service, { body, keepAlive: true });
  const { root } = service;
  const restarts = scaled(2);
  for (let turn = 0; turn < restarts; turn += 1) {
    await clients.more(100);
    t.same(await service.stop(), { code: 0, signal: null });
    service = await startService(t, { root, env });
    // Data are 503 from the moment in which it listens to the one in which its copy is verified.
    await service.waitForLog('activated');
    t.notOk(service.lines.some(({ msg }) => msg === 'importing'));
  }
  await clients.more(100);
  await clients.stop();
  const ends = endsOf(clients);
  t.comment(JSON.stringify(ends));
  t.same([ends.wrong, ends.broken], [0, 0]);
  t.ok(ends.closed <= restarts * CLIENTS, `${ends.closed} connections closed before an answer`);
});
