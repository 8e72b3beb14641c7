/** Long texts: the same bytes whoever asks, from memory or part by part from a file; damage and full folders lose nothing else. */
import { once } from 'node:events';
import { EventEmitter } from 'node:events';
import { mkdir, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { BlockCache } from '../../../src/http/answers/block-cache.js';
import { ChunkedBody } from '../../../src/http/answers/chunked-body.js';
import { LeasedSnapshot } from '../../../src/snapshot/local/lease.js';
import type { Plan } from '../../../src/snapshot/local/plan.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import { planLongText, type TextSource } from '../../../src/workers/formats/long-text.js';
import { WorkerPool } from '../../../src/workers/pool.js';
import { writeSmallCopy } from '../../support/documents/local-copy.js';

/** A character that two code units and four bytes make: none is cut between two parts. */
const LINE = `${'0123456789'.repeat(9)} č 🌫\n`;

function lines(count: number): TextSource {
  return function* (write) {
    for (let at = 0; at < count; at += 1) {
      write(LINE);
      yield;
    }
    return count;
  };
}

interface Place {
  readonly directory: string;
  readonly read: (plan: Plan) => Promise<Buffer>;
}

/** Reads as the front does, with a real worker. */
async function place(t: Test): Promise<Place> {
  const directory = await writeSmallCopy(t);
  const snapshot = new LeasedSnapshot(new SnapshotReader(directory), () => undefined);
  const blocks = new BlockCache(snapshot, () => undefined);
  const source = { snapshot, blocks, pool: new WorkerPool({ threads: 1 }) };
  t.teardown(() => {
    snapshot.retire();
  });
  const read = async (plan: Plan): Promise<Buffer> => {
    const events = new EventEmitter();
    const body = new ChunkedBody(plan, source);
    const reading = body.open({
      client: 'one',
      onRevoked: () => undefined,
      onReady: () => events.emit('ready'),
    });
    const found: Buffer[] = [];
    try {
      for (let offset = 0; offset < plan.totalBytes;) {
        const bytes = reading.from(offset);
        if (bytes === undefined) {
          await once(events, 'ready');
          continue;
        }
        found.push(Buffer.from(bytes));
        offset += bytes.byteLength;
      }
    } finally {
      reading.close();
    }
    return Buffer.concat(found);
  };
  return { directory, read };
}

void t.test('a long text is the same in either coding, and no part is long', async (t) => {
  const { directory, read } = await place(t);
  const text = LINE.repeat(50_000);
  for (const gzip of [true, false]) {
    const plan = await planLongText(lines(50_000), { gzip, directory, key: 'same' });
    t.equal(plan.records, 50_000);
    t.equal(plan.coding, gzip ? 'gzip' : 'identity');
    const bytes = await read(plan);
    t.equal(bytes.byteLength, plan.totalBytes);
    t.ok((gzip ? gunzipSync(bytes) : bytes).equals(Buffer.from(text)));
    const longest = plan.chunks.map((chunk) => (chunk.kind === 'made' ? chunk.length : 0));
    t.ok(Math.max(...longest) < 400_000, `${Math.max(...longest)} bytes`);
  }
  const names = await readdir(join(directory, '..', '~made'));
  t.equal(names.filter((name) => name.endsWith('.parts')).length, 1, 'made once');
});

void t.test('a short text needs no file', async (t) => {
  const { directory, read } = await place(t);
  const plan = await planLongText(lines(10), { gzip: false, directory, key: 'short' });
  t.equal((await read(plan)).toString(), LINE.repeat(10));
  t.notOk((await readdir(join(directory, '..'))).includes('~made'));
});

void t.test('a text that throws leaves nothing', async (t) => {
  const { directory } = await place(t);
  const broken: TextSource = function* (write) {
    yield* lines(9000)(write);
    throw new RangeError('in the middle');
  };
  const options = { gzip: true, directory, key: 'broken' };
  await t.rejects(planLongText(broken, options), { message: 'in the middle' });
  t.same(await readdir(join(directory, '..', '~made')), ['made-by-bura']);
});

void t.test('a file that was cut is made again, and a changed part is found', async (t) => {
  const { directory, read } = await place(t);
  const options = { gzip: false, directory, key: 'damaged' };
  const made = async (): Promise<Plan> => await planLongText(lines(9000), options);
  await made();
  const folder = join(directory, '..', '~made');
  const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('.parts'));
  const path = join(folder, name);
  await truncate(path, 1000);
  const plan = await made();
  t.equal((await read(plan)).toString(), LINE.repeat(9000));
  const bytes = await readFile(path);
  const last = plan.chunks.at(-1);
  if (last?.kind !== 'made') throw new Error('its last chunk is in the file');
  bytes[last.offset + 10] = (bytes[last.offset + 10] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await t.rejects(read(plan), { message: /^.*\.parts has other bytes than were written$/ });
  t.equal((await read(await made())).toString(), LINE.repeat(9000));
});

void t.test('files that nobody reads leave when there are too many bytes', async (t) => {
  const { directory } = await place(t);
  const folder = join(directory, '..', '~made');
  await planLongText(lines(9000), { gzip: true, directory, key: 'read lately' });
  const [read = ''] = (await readdir(folder)).filter((one) => one.endsWith('.parts'));
  const large = join(folder, 'large.parts');
  await writeFile(large, '');
  // It takes no room on the disk.
  await truncate(large, 256 * 1024 * 1024);
  await utimes(large, 1, 1);
  await mkdir(join(folder, 'strange'));
  await planLongText(lines(9000), { gzip: true, directory, key: 'another' });
  const left = await readdir(folder);
  t.notOk(left.includes('large.parts'));
  t.ok(left.includes(read));
  t.ok(left.includes('strange'), 'what has another name is not ours');
});
