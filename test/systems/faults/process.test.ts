/** A front process that is killed while clients ask: the other one answers, and soon there are two again. */
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { frontsOf } from '../../support/faults/process-figures.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { startLoad } from '../../support/service/steady-load.js';

const CLIENTS = 4;

void t.test('of two fronts one is killed under load', async (t) => {
  const service = await startServing(t, snapshotDocument(), {
    env: { FRONT_PROCESSES: '2' },
    expect: ['front died'],
  });
  const { body } = await get(service, '/stations');
  const requests = [{ method: 'GET', path: '/stations' }];
  const options = { requests, keepAlive: false, body, expectsFailures: true };
  const clients = startLoad(service, CLIENTS, options);
  await clients.more(20);
  const [victim = 0] = await frontsOf(service);
  process.kill(victim, 'SIGKILL');
  t.match(await service.waitForLog('front died'), { front_pid: victim, reason: 'SIGKILL' });
  await clients.more(20);
  await service.waitForLog('front replaced');
  await clients.more(20);
  await clients.stop();
  t.equal((await frontsOf(service)).length, 2);
  const wrong = clients.failures.filter((line) => !/: aborted|connection: /.test(line));
  t.same(wrong, [], 'no 503, and no other body');
  t.notMatch(clients.failures.join(), 'ECONNREFUSED', 'nobody is refused while one listens');
  t.ok(clients.failures.length <= CLIENTS, 'lost: what each client had asked the dead one');
});
