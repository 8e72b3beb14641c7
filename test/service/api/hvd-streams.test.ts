/** Long answers, streams and bodies in one piece: over swaps, at any pace, broken off, and many at once; and what they leave behind. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { Connection, fieldOf, requestBytes } from '../../support/service/connection.js';
import {
  generateDocument,
  snapshotDocument,
  type GeneratedDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { get } from '../../support/service/requests.js';
import { eventually, publish, type Service } from '../../support/service/service.js';
import { activated, startServing } from '../../support/service/serve-documents.js';
import { scaled } from '../../support/faults/chance.js';
import { leave } from '../../support/faults/leaving-client.js';
import { frontOf, leasesOf, shareBytesOf } from '../../support/faults/process-figures.js';

const STREAM = '/api/v1/observations/stream';
const LIST = '/api/v1/observations';

/** More than all buffers hold between a server and a client that does not read, as Linux has them by default. */
const BUFFERS_BYTES = 4_500_000;

/** Some 15,000 records, 4.9 MB. */
const SMALL = { stations: 8, components: 3, hours: 640 };

/** Longer than the library waits by itself for a socket to take more. */
const REST_MS = 12_000;

/** Some 950 records, 300 kB: still too many for an answer that is held in one piece. */
const TINY = { stations: 3, components: 2, hours: 160 };

// Two of the readers rest for as long as all the other tests take.
t.jobs = 3;

void t.test('of 15,000 records, and while snapshots change', { buffered: true }, async (t) => {
  const service = await startServing(t, generateDocument({ ...SMALL, snapshotId: 'a', seed: 1 }), {
    env: { ADMIN_PORT: '0', FRONT_PROCESSES: '1' },
  });
  const front = await frontOf(service);

  const whole = await get(service, STREAM);
  const sha256 = digest(whole.body);
  const { length } = whole.body;
  t.ok(length > BUFFERS_BYTES, `${length} bytes`);
  await get(service, STREAM, { headers: { 'Accept-Encoding': 'gzip' } });
  await get(service, LIST);

  const slow = new Reader(service.port, STREAM);
  await slow.begun;
  // It goes on beside what follows.
  const slowlyRead = after(REST_MS).then(() => slow.readOn({ bytesPerSecond: 5_000_000 }));
  slowlyRead.catch(() => undefined);
  const noLease = async (): Promise<boolean> => (await leasesOf(service)) <= 1;

  await t.test('run a hundred at once beside small requests, in little memory', async (t) => {
    const before = await shareBytesOf(front);
    let largest = before;
    let answers = 0;
    // However busy this process is with reading: the small requests are answered while all hundred are under way.
    const thrice = eventually('three small answers', () => Promise.resolve(answers >= 3), 60_000);
    const { port } = service;
    const streams = Array.from({ length: 100 }, () =>
      sameBytes({ port, target: STREAM }, whole.body, thrice),
    );
    const over = new AbortController();
    const meta = (async (): Promise<number> => {
      while (!over.signal.aborted) {
        if ((await get(service, '/meta')).status === 200) answers += 1;
        largest = Math.max(largest, await shareBytesOf(front));
        await after(100);
      }
      return answers;
    })();
    const read = await Promise.all(streams);
    over.abort();
    t.ok((await meta) >= 3);
    t.same(new Set(read), new Set([length]), 'each the whole body, byte for byte');
    const grown = Math.round((largest - before) / 1e6);
    t.ok(grown < 150, `${grown} MB more than before`);
    t.comment(`${grown} MB more than before`);
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
    // Fills the memory for answers, 32 MB: each has some 190 kB of its own.
    await ask(180, 0);
    const before = await shareBytesOf(front);
    // Would take 57 MB if none were forgotten.
    await ask(scaled(300), 1000);
    const grown = Math.round(((await shareBytesOf(front)) - before) / 1e6);
    connection.close();
    t.ok(grown < 48, `${grown} MB more than before`);
    t.comment(`${grown} MB more than before`);
  });

  await t.test('reach a slow but honest reader whole', async (t) => {
    const { body } = await slowlyRead;
    t.equal(digest(body), sha256);
    await eventually('no lease is left at all', async () => (await leasesOf(service)) === 0);
  });

  await t.test('ends a stream on the snapshot it began with, and then closes that', async (t) => {
    const targets = [STREAM, LIST, '/api/v1/bulk/observations_hourly_preliminary_last30days.csv'];
    const known = new Map<string, string>();
    const held: { readonly id: string; readonly readers: readonly Reader[] }[] = [];
    for (const id of ['a', 'b']) {
      for (const target of targets) {
        const { body } = await get(service, target);
        known.set(`${id} ${target}`, digest(body));
      }
      const readers = targets.map((target) => new Reader(service.port, target));
      await Promise.all(readers.map((reader) => reader.begun));
      const next = String.fromCharCode(id.charCodeAt(0) + 1);
      // The last one is not held.
      const size = next === 'b' ? SMALL : TINY;
      await serveNext(service, { ...size, snapshotId: next, seed: next.charCodeAt(0) });
      // Later snapshots go by while the first streams are still held.
      held.push({ id, readers });
    }
    t.equal(mapped(await mapsOf(front)), 3, 'each that is being read, and the active one');
    for (const { id, readers } of held) {
      for (const [at, reader] of readers.entries()) {
        const { fields, body } = await reader.readOn();
        const label = `${id} ${targets[at] ?? ''}`;
        t.equal(digest(body), known.get(label), label);
        t.equal(fieldOf({ fields }, 'x-snapshot-id'), id);
        if (targets[at] === STREAM) t.match(body.toString('utf8', 0, 40), `"snapshot_id":"${id}"`);
      }
    }
    await eventually('only the active copy is mapped', async () => {
      const maps = await mapsOf(front);
      return mapped(maps) === 1 && /\/c~[^/]+\/data\.mdb/.test(maps);
    });
    await eventually('and only its files are left, and those of the one before', async () => {
      const names = await readdir(service.copies);
      const ids = names.flatMap((name) => /^([a-c])~/.exec(name)?.[1] ?? []);
      return ids.toSorted().join() === 'b,c';
    });
    t.equal(await leasesOf(service), 0);
  });

  await t.test('answers a plan that is asked for in the very moment of a swap', async (t) => {
    const wrong: string[] = [];
    const over = new AbortController();
    let answers = 0;
    const clients = Array.from({ length: 2 }, async (_, client) => {
      const connection = await Connection.open(service.port);
      for (let number = 0; !over.signal.aborted; number += 1) {
        // Each its own plan, large enough to be read while it is sent.
        const from = new Date(Date.UTC(2026, 7, 12) + client * 1e6 + number).toISOString();
        const answer = await connection.ask({ target: `${STREAM}?from=${from}` });
        const id = fieldOf(answer, 'x-snapshot-id') ?? '';
        const isSame = answer.body
          .toString('utf8', 0, 60)
          .startsWith(`{"meta":{"snapshot_id":"${id}"`);
        if (answer.status !== 200 || !isSame) wrong.push(`${answer.status} ${id}`);
        answers += 1;
        // Leaves the import its share of a small machine.
        await after(3);
      }
      connection.close();
    });
    for (let swap = 0; swap < scaled(2); swap += 1) {
      await serveNext(service, { ...TINY, snapshotId: `swap-${swap}`, seed: swap });
    }
    over.abort();
    await Promise.all(clients);
    t.same(wrong, [], `${answers} answers`);
    t.ok(answers > 20, `${answers} answers`);
    await eventually('no lease is left', async () => (await leasesOf(service)) === 0);
  });
});

void t.test('in one piece', { buffered: true }, async (t) => {
  const service = await startServing(t, largeDocument());
  const { body } = await get(service, '/stations');
  const sha256 = digest(body);
  const packed = await get(service, '/stations', { headers: { 'Accept-Encoding': 'gzip' } });
  const lengths = [body.length, packed.body.length];
  t.ok(
    lengths.every((one) => one > BUFFERS_BYTES),
    lengths.join(),
  );
  t.equal((JSON.parse(body.toString()) as unknown[]).length, 160);

  await t.test('reach readers of any pace whole, and one that rests a while', async (t) => {
    const readers = ['identity', 'gzip'].flatMap((coding) => [
      { coding, bytesPerSecond: Infinity, restMs: 0 },
      { coding, bytesPerSecond: 5_000_000, restMs: 0 },
      { coding, bytesPerSecond: 1_000_000, restMs: 0 },
      { coding, bytesPerSecond: Infinity, restMs: REST_MS },
    ]);
    await Promise.all(
      readers.map(async ({ coding, bytesPerSecond, restMs }) => {
        const reader = new Reader(service.port, '/stations', { 'Accept-Encoding': coding });
        await reader.begun;
        await after(restMs);
        const received = (await reader.readOn({ bytesPerSecond })).body;
        const whole = coding === 'gzip' ? gunzipSync(received) : received;
        t.equal(digest(whole), sha256, `${coding} ${bytesPerSecond} ${restMs}`);
      }),
    );
  });

  await t.test('are not sent for HEAD and 304', async (t) => {
    const head = await get(service, '/stations', { method: 'HEAD' });
    t.equal(head.headers['content-length'], String(body.length));
    const headers = { 'If-None-Match': '*' };
    t.equal((await get(service, '/stations', { headers })).status, 304);
  });

  await t.test('end with their connection, and harm nobody else', async (t) => {
    const left = { target: '/stations', read: 1, reset: true };
    await Promise.all(Array.from({ length: 50 }, () => leave(service, left)));
    t.equal(digest((await get(service, '/stations')).body), sha256);
  });
});

async function serveNext(
  service: Service,
  options: GeneratedDocument & { readonly snapshotId: string },
): Promise<void> {
  const from = service.lines.length;
  await publish(service, generateDocument(options));
  await activated(service, { snapshot_id: options.snapshotId }, from);
}

/** A list of stations that no socket's buffers hold, and that gzip makes little of. */
function largeDocument(): PlainDocument {
  const stations = Array.from({ length: 160 }, (_, index) => ({
    station_id: index + 1,
    station_name: `Stanica ${index + 1} Čačak`,
    station_code: `RS${index + 1}`,
    organization_id: 1,
    network_id: 1,
    notes: createHash('shake256', { outputLength: 30_000 }).update(`${index}`).digest('base64'),
  }));
  return snapshotDocument({ stations, measurements: [] });
}

/** One answer, held after its first bytes, and read on at a pace. */
class Reader {
  /** Resolves when the answer has begun; nothing more is read until `readOn`. */
  readonly begun: Promise<void>;
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  #total = 0;
  #isDue = (): boolean => false;

  constructor(port: number, target: string, fields: Readonly<Record<string, string>> = {}) {
    let begin = (): void => undefined;
    this.begun = new Promise((settle) => {
      begin = settle;
    });
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      // What Node reads before it asks us; the kernel's buffers fill behind it.
      onread: {
        buffer: Buffer.alloc(16 * 1024),
        callback: (size, buffer) => {
          this.#chunks.push(Buffer.from(buffer.subarray(0, size)));
          this.#total += size;
          begin();
          return this.#isDue();
        },
      },
    });
    this.#socket.write(requestBytes({ target, fields: { ...fields, Connection: 'close' } }));
  }

  async readOn({ bytesPerSecond = Infinity } = {}): Promise<{
    readonly fields: readonly (readonly [string, string])[];
    readonly body: Buffer;
  }> {
    const startedAt = performance.now();
    const before = this.#total;
    this.#isDue = () =>
      this.#total - before <= ((performance.now() - startedAt) / 1000) * bytesPerSecond;
    return await new Promise((settle, reject) => {
      const timer = setInterval(() => {
        if (this.#isDue()) this.#socket.resume();
        const whole = wholeAnswer(this.#chunks, this.#total);
        if (whole === undefined) return;
        clearInterval(timer);
        this.#socket.destroy();
        settle(whole);
      }, 5);
      this.#socket.once('error', reject);
      this.#socket.once('close', () => {
        clearInterval(timer);
        const whole = wholeAnswer(this.#chunks, this.#total);
        if (whole === undefined) reject(new Error(`closed after ${this.#total} bytes`));
        else settle(whole);
      });
    });
  }
}

/** Undefined while something is missing. */
function wholeAnswer(
  chunks: readonly Buffer[],
  total: number,
): { readonly fields: readonly (readonly [string, string])[]; readonly body: Buffer } | undefined {
  const head = chunks[0]?.toString('latin1') ?? '';
  const end = head.indexOf('\r\n\r\n') + 4;
  const length = /content-length: (\d+)/i.exec(head.slice(0, end))?.[1];
  if (length === undefined || total < end + Number(length)) return undefined;
  const fields = head
    .slice(0, end - 4)
    .split('\r\n')
    .slice(1)
    .map((line): readonly [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
  return { fields, body: Buffer.concat(chunks).subarray(end) };
}

/**
 * Reads a body as fast as it comes, from its first bytes on or when `restsFor` is over, and keeps nothing of it; how many
 * of its bytes are as expected, up to the first chunk that is not.
 */
async function sameBytes(
  { port, target }: { readonly port: number; readonly target: string },
  expected: Buffer,
  restsFor?: Promise<unknown>,
): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(requestBytes({ target, fields: { Connection: 'close' } }));
  let at: number | undefined;
  return await new Promise((settle, reject) => {
    socket.on('data', (chunk: Buffer) => {
      const body = at === undefined ? chunk.subarray(chunk.indexOf('\r\n\r\n') + 4) : chunk;
      if (at === undefined && restsFor !== undefined) {
        socket.pause();
        const goOn = (): void => void socket.resume();
        void restsFor.then(goOn, goOn);
      }
      const from = at ?? 0;
      const isSame = body.equals(expected.subarray(from, from + body.length));
      at = from + body.length;
      if (isSame && at < expected.length) return;
      settle(isSame ? at : from);
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      reject(new Error('closed before its end'));
    });
  });
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function mapsOf(pid: number): Promise<string> {
  return await readFile(`/proc/${pid}/maps`, 'utf8');
}

/** How many copies are mapped, deleted ones too. */
function mapped(maps: string): number {
  return new Set(maps.match(/\/[^/\s]+\/data\.mdb/g)).size;
}
