/** Long answers: over swaps, read late, and many at once; and what they leave behind. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Connection } from '../../support/service/connection.js';
import { generateDocument } from '../../support/documents/documents.js';
import { beginAnswer, get } from '../../support/service/requests.js';
import { eventually, publish } from '../../support/service/service.js';
import { activated, startServing } from '../../support/service/serve-documents.js';
import { scaled } from '../../support/faults/chance.js';
import { frontOf, leasesOf, shareBytesOf } from '../../support/faults/process-figures.js';

const STREAM = '/api/v1/observations/stream';
const LIST = '/api/v1/observations';

/** More than all buffers hold between a server and a client that does not read, as Linux has them by default. */
const BUFFERS_BYTES = 4_500_000;

/** Some 15,000 records, 4.9 MB. */
const SMALL = { stations: 8, components: 3, hours: 640 };

/** Longer than the library waits for a socket. */
const REST_MS = 12_000;

/** Some 950 records, 300 kB: still too many for an answer that is held in one piece. */
const TINY = { stations: 3, components: 2, hours: 160 };

void t.test('of 15,000 records, and while snapshots change', async (t) => {
  const service = await startServing(t, generateDocument({ ...SMALL, snapshotId: 'a', seed: 1 }), {
    env: { ADMIN_PORT: '0', FRONT_PROCESSES: '1' },
  });
  const front = await frontOf(service);

  const whole = await get(service, STREAM);
  const sha256 = digest(whole.body);
  t.ok(whole.body.length > BUFFERS_BYTES, `${whole.body.length} bytes`);

  const slow = await beginAnswer(service, STREAM);
  // It rests during the following tests.
  const slowlyRead = after(REST_MS).then(() => digestOf(slow));
  slowlyRead.catch(() => undefined);
  const noLease = async (): Promise<boolean> => (await leasesOf(service)) <= 1;

  await t.test('run a hundred at once beside small requests, in little memory', async (t) => {
    const before = await shareBytesOf(front);
    let largest = before;
    let answers = 0;
    // However busy this process is with reading: the small requests are answered while all hundred are under way.
    const thrice = eventually('three small answers', () => Promise.resolve(answers >= 3), 60_000);
    const streams = Array.from({ length: 100 }, async () => {
      const stream = await beginAnswer(service, STREAM);
      await thrice;
      return await digestOf(stream);
    });
    const over = new AbortController();
    const meta = (async (): Promise<void> => {
      while (!over.signal.aborted) {
        if ((await get(service, '/meta')).status === 200) answers += 1;
        largest = Math.max(largest, await shareBytesOf(front));
        await after(100);
      }
    })();
    const read = await Promise.all(streams);
    over.abort();
    await meta;
    t.same(new Set(read), new Set([sha256]), 'each the whole body, byte for byte');
    assertGrown(t, largest - before, 150);
    await eventually('no lease is left but that of the slow reader', noLease);
  });

  await t.test('ask for hundreds of windows in bounded memory', async (t) => {
    const connection = await Connection.open(service.port);
    const ask = async (count: number, first: number): Promise<void> => {
      for (let number = first; number < first + count; number += 1) {
        const from = new Date(Date.parse('2026-09-02T00:30:00Z') + number).toISOString();
        const target = `${LIST}?from=${from}&station_id=${1 + (number % SMALL.stations)}`;
        const answer = await connection.ask({ target });
        if (answer.status !== 200) throw new Error(`${answer.status} for ${target}`);
      }
    };
    // Fills the memory for answers, 32 MB, with answers of some 190 kB each.
    await ask(180, 0);
    const before = await shareBytesOf(front);
    // Would take 57 MB if none were forgotten.
    await ask(scaled(300), 1000);
    assertGrown(t, (await shareBytesOf(front)) - before, 48);
    connection.close();
  });

  await t.test('ends a stream on the snapshot it began with', async (t) => {
    const targets = [STREAM, LIST, '/api/v1/bulk/observations_hourly_preliminary_last30days.csv'];
    const known = new Map<string, string>();
    const held: { readonly id: string; readonly readers: readonly IncomingMessage[] }[] = [];
    for (const id of ['a', 'b']) {
      for (const target of targets) {
        known.set(`${id} ${target}`, digest((await get(service, target)).body));
      }
      const readers = await Promise.all(targets.map((target) => beginAnswer(service, target)));
      const next = String.fromCharCode(id.charCodeAt(0) + 1);
      // The last one is not held.
      const size = next === 'b' ? SMALL : TINY;
      const from = service.lines.length;
      const document = { ...size, snapshotId: next, seed: next.charCodeAt(0) };
      await publish(service, generateDocument(document));
      await activated(service, { snapshot_id: next }, from);
      // Later snapshots go by while the first streams are still held.
      held.push({ id, readers });
    }
    t.equal(mapped(await mapsOf(front)), 3, 'each that is being read, and the active one');
    for (const { id, readers } of held) {
      for (const [at, reader] of readers.entries()) {
        const label = `${id} ${targets[at] ?? ''}`;
        t.equal(reader.headers['x-snapshot-id'], id);
        t.equal(await digestOf(reader), known.get(label), label);
      }
    }
    t.equal(await slowlyRead, sha256, 'a slow but honest reader has all of it');
    await eventually('nobody reads a former copy', async () => (await leasesOf(service)) === 0);
    t.equal(mapped(await mapsOf(front)), 3, 'their bulk files stay at addresses with digests');
  });
});

function assertGrown(t: Test, bytes: number, limitMb: number): void {
  const grown = Math.round(bytes / 1e6);
  t.ok(grown < limitMb, `${grown} MB more than before`);
  t.comment(`${grown} MB more than before`);
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function digestOf(answer: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of answer) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const mapsOf = async (pid: number): Promise<string> => await readFile(`/proc/${pid}/maps`, 'utf8');

/** How many copies are mapped, deleted ones too. */
function mapped(maps: string): number {
  return new Set(maps.match(/\/[^/\s]+\/data\.mdb/g)).size;
}
