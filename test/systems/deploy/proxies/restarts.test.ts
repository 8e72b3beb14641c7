/** Instances that are killed, and restarted, behind the proxies that ask the other one: no client notices. */
import t from 'tap';
import { generateDocument } from '../../../support/documents/documents.js';
import { startInstance, startInstances } from '../../support/proxies/instances.js';
import { startProxy } from '../../support/proxies/proxies.js';
import { startWitnesses } from '../../support/proxies/witness.js';
import { childrenOf } from '../../../support/service/children.js';
import { eventually, type Service } from '../../../support/service/service.js';

/** Answers between two events, of both proxies together. */
const ANSWERS = 150;

void t.test('one instance is killed, the other one stopped, and both come back', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'restarted' }));
  const [first, second] = instances;
  const ports = [first.port, second.port] as const;
  const [nginx, caddy] = await Promise.all([
    startProxy(t, 'nginx', ports),
    startProxy(t, 'caddy', ports),
  ]);
  const witnesses = startWitnesses([nginx, caddy]);
  const more = async (): Promise<void> => {
    const answers = witnesses.answers + ANSWERS;
    await eventually('clients go on', () => Promise.resolve(witnesses.answers >= answers));
  };
  const restart = async ({ root, port }: Service, name: string): Promise<void> => {
    const { length } = caddy.said();
    await startInstance(t, root, { name, port });
    // Until then it knows only the other one.
    await eventually(`Caddy says that the ${name} is up`, () =>
      Promise.resolve(caddy.said().slice(length).includes('host is up')),
    );
  };
  await more();

  await killWhole(first);
  await more();
  await restart(first, 'first');
  await more();

  t.same(await second.stop(), { code: 0, signal: null });
  await more();
  await restart(second, 'second');
  await more();

  await witnesses.stop();
  t.same(witnesses.failures.slice(0, 5), [], `of ${witnesses.answers} answers`);
});

/** Every process of an instance at one time, so that no front drains. */
async function killWhole(service: Service): Promise<void> {
  const children = await childrenOf(service.pid);
  service.signal('SIGSTOP');
  for (const { pid } of children) process.kill(pid, 'SIGKILL');
  await service.kill();
}
