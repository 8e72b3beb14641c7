/** Front processes that are killed and services that are restarted while clients ask. */
import { request, Agent } from 'node:http';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { scaled } from '../../support/faults/chance.js';
import { childrenOf } from '../../support/service/children.js';
import { holdPort } from '../../support/service/ports.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { startService } from '../../support/service/service.js';

const CLIENTS = 4;

/** How the requests of some clients have ended. */
interface Ends {
  right: number;
  /** Nobody listened. */
  refused: number;
  /** Closed before the first byte of an answer. */
  closed: number;
  /** Answered with 503. */
  unavailable: number;
  /** Broken off in the midst of an answer. */
  broken: number;
  /** Answered with something else. */
  wrong: number;
}

interface Clients {
  readonly ends: Ends;
  /** Resolves after this many more right answers. */
  gets(answers: number): Promise<void>;
  stop(): Promise<void>;
}

/** Clients that ask for one thing over and over; with `keepAlive` on connections that they keep. */
function startClients(
  port: number,
  { body, keepAlive }: { readonly body: Buffer; readonly keepAlive: boolean },
): Clients {
  const ends: Ends = { right: 0, refused: 0, closed: 0, unavailable: 0, broken: 0, wrong: 0 };
  let isOver = false;
  let onRight = (): void => undefined;
  const ask = async (agent: Agent): Promise<void> => {
    ends[await endOf(port, agent, body)] += 1;
    onRight();
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    while (!isOver) {
      await ask(agent);
      await new Promise((settle) => setTimeout(settle, 5));
    }
    agent.destroy();
  });
  return {
    ends,
    gets: async (answers) => {
      const until = ends.right + answers;
      await new Promise<void>((settle) => {
        onRight = () => {
          if (ends.right >= until) settle();
        };
      });
    },
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** Sends one request, and tells how it ended. */
async function endOf(port: number, agent: Agent, right: Buffer): Promise<keyof Ends> {
  return await new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: '/stations', agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => {
        resolve('broken');
      });
      response.once('end', () => {
        const isRight = response.statusCode === 200 && Buffer.concat(chunks).equals(right);
        resolve(isRight ? 'right' : response.statusCode === 503 ? 'unavailable' : 'wrong');
      });
    });
    sent.once('error', (error) => {
      const isRefused = 'code' in error && error.code === 'ECONNREFUSED';
      resolve(isRefused ? 'refused' : 'closed');
    });
    sent.end();
  });
}

t.jobs = 2;

for (const fronts of [1, 2]) {
  void t.test(`of ${fronts} front(s) one is killed, again and again, under load`, async (t) => {
    const service = await startServing(t, snapshotDocument(), {
      env: { FRONT_PROCESSES: String(fronts) },
      expect: ['front died'],
    });
    const { body } = await get(service, '/stations');
    const clients = startClients(service.port, { body, keepAlive: false });
    await clients.gets(20);
    const gaps: number[] = [];
    const kills = scaled(2);
    for (let turn = 0; turn < kills; turn += 1) {
      const [victim] = (await childrenOf(service.pid)).filter(
        ({ script }) => script === 'front.js',
      );
      const from = service.lines.length;
      const killedAt = performance.now();
      process.kill(victim?.pid ?? 0, 'SIGKILL');
      const died = await service.waitForLog('front died', from);
      t.match(died, { front_pid: victim?.pid, reason: 'SIGKILL' });
      await clients.gets(1);
      gaps.push(Math.round(performance.now() - killedAt));
      await service.waitForLog('front replaced', from);
      await clients.gets(20);
    }
    await clients.stop();
    const { ends } = clients;
    t.comment(`${JSON.stringify(ends)}, answers again after ${gaps.join(', ')} ms`);
    t.equal(ends.wrong, 0);
    const lost = ends.closed + ends.broken;
    t.ok(lost <= kills * CLIENTS, `${lost} lost: each client what it had asked the dead one`);
    if (fronts > 1) t.equal(ends.refused, 0, 'nobody is refused while another one listens');
  });
}

void t.test(
  'a restart under load breaks off no answer, and serves without an import',
  async (t) => {
    const port = await holdPort(t);
    const env = { PORT: String(port) };
    let service = await startServing(t, snapshotDocument(), { env });
    const { body } = await get(service, '/stations');
    const clients = startClients(port, { body, keepAlive: true });
    const { root } = service;
    const restarts = scaled(2);
    for (let turn = 0; turn < restarts; turn += 1) {
      await clients.gets(100);
      t.same(await service.stop(), { code: 0, signal: null });
      service = await startService(t, { root, env });
      // Data are 503 from the moment in which it listens to the one in which its copy is verified.
      await service.waitForLog('activated');
      t.notOk(service.lines.some(({ msg }) => msg === 'importing'));
    }
    await clients.gets(100);
    await clients.stop();
    const { ends } = clients;
    t.comment(JSON.stringify(ends));
    t.same([ends.wrong, ends.broken], [0, 0]);
    t.ok(ends.closed <= restarts * CLIENTS, `${ends.closed} connections closed before an answer`);
  },
);
