/** Figures 6 and 7: memory at rest, under load and with stalled readers; how long who does nothing is kept. */
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:net';
import { startAttack } from '../../attacks/start.js';
import type { AttackReport } from '../../attacks/attack.js';
import { figuresOf, startPaced, type Interval } from '../../clients/paced.js';
import { footprintOf, type Footprint } from '../../harness/footprint.js';
import { openSetup } from '../../harness/setup.js';
import { tcpMemoryMb } from '../../harness/system.js';
import { now } from '../../harness/visible.js';
import { hotTargets } from '../../measure/targets.js';
import { fixed, whole } from '../../report.js';
import { MEASURER } from '../../harness/addresses.js';
import { intervalOf, startBystander } from './bystander.js';
import { atMost, inSeconds, times, type RunPart } from './part.js';

const QUIET_MS = 5_000;
const STALLED_MS = 6_000;
/** A stalled reader is ended when it takes less than 64 KiB in a minute. */
const STALL_LIMIT_MS = 130_000;
const SLOW_HEAD_LIMIT_MS = 30_000;
const BYTE_EVERY_MS = 1_000;

interface Look extends Footprint {
  readonly name: string;
  readonly tcpMb: number;
  readonly metaP99Ms: number;
  readonly readers: AttackReport;
}

export const runMemory: RunPart = async ({ options, scale, progress }) => {
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], progress });
  const { service } = setup;
  const look = (name: string, metaP99Ms: number, readers: AttackReport = {}): Look => ({
    name,
    ...footprintOf(service),
    tcpMb: tcpMemoryMb(),
    metaP99Ms,
    readers,
  });
  try {
    const looks: Look[] = [];
    await delay(QUIET_MS * scale);
    const idle = look('idle', Number.NaN);
    looks.push(idle);
    progress('under load');
    const load = startPaced({
      server: service.port,
      targets: await hotTargets(service.port),
      expected: [],
      connections: options.connections,
      perSecond: 2_000,
    });
    await delay(QUIET_MS * scale);
    looks.push(look('2,000 requests a second', Number.NaN));
    await load.stop();
    const meta = startBystander(service.port);
    const quiet = await intervalOf(delay(QUIET_MS * scale));
    const measured: { readonly look: Look; readonly interval: Interval }[] = [];
    let keptMs = Number.NaN;
    const heads = slowHeads(service.port);
    for (const name of ['stalled-200', 'stalled-1000'] as const) {
      progress(name);
      const attack = await startAttack(name, service.port);
      const startedMs = now();
      const interval = await intervalOf(delay(STALLED_MS * Math.max(0.5, scale)));
      const readers = await attack.report();
      measured.push({ look: look(name.replace('-', ' readers '), 0, readers), interval });
      if (name === 'stalled-1000' && scale >= 1) {
        const { readers = 0, refused = 0 } = await attack.report();
        const halfGone = idle.openFiles + (readers - refused) / 2;
        keptMs = await until(() => look('', 0).openFiles <= halfGone, startedMs);
      }
      await attack.stop();
    }
    const record = await meta.stop();
    const p99Of = (interval: Interval): number => figuresOf(record, [interval]).p99Ms;
    const quietP99 = p99Of(quiet);
    looks.push(look('quiet again', quietP99));
    for (const one of measured) looks.push({ ...one.look, metaP99Ms: p99Of(one.interval) });
    return partOf(looks, { quietP99, keptMs, headsMs: await heads });
  } finally {
    await setup.close();
  }
};

function partOf(
  looks: readonly Look[],
  kept: { readonly quietP99: number; readonly keptMs: number; readonly headsMs: SlowHeads },
): Awaited<ReturnType<RunPart>> {
  const idle = looks[0];
  const stalled = looks.at(-1);
  if (idle === undefined || stalled === undefined) throw new Error('nothing was looked at');
  const { quietP99, keptMs, headsMs } = kept;
  return {
    tables: [
      {
        title: 'Memory of all processes, and of the kernel for TCP',
        columns: [
          '',
          'PSS MB',
          'anonymous MB',
          'kernel MB',
          'open files',
          '/meta p99 ms',
          'readers',
        ],
        rows: looks.map((one) => [
          one.name,
          fixed(one.pssMb, 1),
          fixed(one.anonymousMb, 1),
          fixed(one.tcpMb, 1),
          whole(one.openFiles),
          fixed(one.metaP99Ms, 2),
          Object.entries(one.readers)
            .map(([name, count]) => `${name} ${count}`)
            .join(', '),
        ]),
      },
    ],
    criteria: [
      atMost(
        '6. anonymous memory more with 1,000 stalled readers',
        50,
        stalled.anonymousMb - idle.anonymousMb,
        (mb) => `${fixed(mb, 1)} MB`,
      ),
      ...(Number.isNaN(keptMs)
        ? []
        : [atMost('7. a stalled reader is kept', 125, keptMs / 1000, inSeconds)]),
      atMost('7. a slow head is kept', 15, headsMs.slowMs / 1000, inSeconds),
      atMost('7. an idle connection is kept', 15, headsMs.idleMs / 1000, inSeconds),
      atMost('7. /meta p99 with 1,000 stalled readers', 3, stalled.metaP99Ms / quietP99, times),
    ],
    notes: ['Slopes of memory are for npm run bench:soak.'],
    figures: { looks, ...kept },
  };
}

/** Milliseconds until it is so. A reader that reads nothing does not notice that it was cut off: the service's open files tell. */
async function until(isSo: () => boolean, startedMs: number): Promise<number> {
  while (now() - startedMs < STALL_LIMIT_MS) {
    if (isSo()) return now() - startedMs;
    await delay(500);
  }
  return Infinity;
}

interface SlowHeads {
  /** How long a connection was kept that sends a byte of its request each second. */
  readonly slowMs: number;
  /** The same for one that sends nothing. */
  readonly idleMs: number;
}

async function slowHeads(port: number): Promise<SlowHeads> {
  const kept = (text: string): Promise<number> =>
    new Promise((resolve) => {
      const startedMs = now();
      const socket = connect({ port, host: '127.0.0.1', localAddress: MEASURER });
      let at = 0;
      const timer = setInterval(() => {
        if (now() - startedMs > SLOW_HEAD_LIMIT_MS) socket.destroy();
        else if (at < text.length) socket.write(text[at++] ?? '');
      }, BYTE_EVERY_MS);
      socket.on('error', () => undefined);
      socket.resume();
      socket.on('close', () => {
        clearInterval(timer);
        resolve(now() - startedMs);
      });
    });
  const head = `GET /meta HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ${'a'.repeat(200)}\r\n\r\n`;
  const [slowMs, idleMs] = await Promise.all([kept(head), kept('')]);
  return { slowMs, idleMs };
}
