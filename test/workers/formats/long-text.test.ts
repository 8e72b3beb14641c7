/** Long texts: equal bytes for every client, from memory or a file; damage and full folders lose nothing else. */
import { EventEmitter, once } from 'node:events';
import { mkdir, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { BlockCache } from '../../../src/http/answers/block-cache.js';
import { bodyOf } from '../../../src/http/answers/rendered-answers.js';
import { LeasedSnapshot } from '../../../src/snapshot/local/lease.js';
import type { Plan } from '../../../src/snapshot/local/plan.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import { planLongText, type TextSource } from '../../../src/workers/formats/long-text.js';
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

/** Reads as the front does. */
async function place(t: Test) {
  const directory = await writeSmallCopy(t);
  const snapshot = new LeasedSnapshot(new SnapshotReader(directory), () => undefined);
  const source = { snapshot, blocks: new BlockCache(snapshot, () => undefined) };
  t.teardown(() => {
    snapshot.retire();
  });
  const read = async (plan: Plan): Promise<Buffer> => {
    const body = bodyOf(plan, source);
    if (body instanceof Uint8Array) return Buffer.from(body);
    const events = new EventEmitter();
    const onReady = (): void => void events.emit('ready');
    const reading = body.open({ onRevoked: () => undefined, onReady });
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
      t.equal(snapshot.leases, 0, 'its lease has ended');
    }
    return Buffer.concat(found);
  };
  const folder = join(directory, 'texts');
  const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.gz'));
  return { directory, folder, files, read };
}

void t.test('a long text is the same in either coding', async (t) => {
  const { directory, files, read } = await place(t);
  const short = await planLongText(lines(10), { gzip: false, directory, key: 'short' });
  t.equal((await read(short)).toString(), LINE.repeat(10));
  t.notOk((await readdir(directory)).includes('texts'), 'a short one needs no file');
  const text = LINE.repeat(50_000);
  for (const gzip of [true, false]) {
    const plan = await planLongText(lines(50_000), { gzip, directory, key: 'same' });
    t.equal(plan.records, 50_000);
    t.equal(plan.coding, gzip ? 'gzip' : 'identity');
    const bytes = await read(plan);
    t.equal(bytes.byteLength, plan.totalBytes);
    t.ok((gzip ? gunzipSync(bytes) : bytes).equals(Buffer.from(text)));
  }
  t.equal((await files()).length, 1, 'made once');
});

void t.test('a piece may be longer than the memory for it', async (t) => {
  const { directory, read } = await place(t);
  const piece = LINE.repeat(40_000);
  const pieces: TextSource = function* (write) {
    write(LINE);
    yield;
    write(piece);
    yield;
    return 2;
  };
  const plan = await planLongText(pieces, { gzip: false, directory, key: 'piece' });
  t.equal((await read(plan)).toString(), LINE + piece);
});

void t.test('neither a text that throws nor a copy that has gone leaves a file', async (t) => {
  const { directory, folder } = await place(t);
  const broken: TextSource = function* (write) {
    yield* lines(9000)(write);
    throw new RangeError('in the middle');
  };
  const options = { gzip: true, directory, key: 'broken' };
  await t.rejects(planLongText(broken, options), { message: 'in the middle' });
  t.same(await readdir(folder), []);
  const gone = planLongText(lines(9000), { ...options, directory: join(directory, 'gone') });
  await t.rejects(gone, { code: 'copy_damaged', message: /gone is gone$/ });
  t.notOk((await readdir(directory)).includes('gone'));
});

void t.test('a file that was cut or changed is found, and made again', async (t) => {
  const { directory, folder, files, read } = await place(t);
  const options = { gzip: false, directory, key: 'damaged' };
  const made = async (): Promise<Plan> => await planLongText(lines(9000), options);
  await made();
  const [name = ''] = await files();
  const path = join(folder, name);
  for (const bytes of [0, 10, 1000]) {
    await truncate(path, bytes);
    t.equal((await read(await made())).toString(), LINE.repeat(9000), `cut to ${bytes} bytes`);
  }
  const { length } = await readFile(path);
  // Bytes of the text, and behind it, where its lengths stand.
  for (const at of [1000, length - 26, length - 20, length - 10, length - 2]) {
    const plan = await made();
    const bytes = await readFile(path);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(path, bytes);
    if (at <= length - 26) await t.rejects(read(plan), { name: /Error/ }, `byte ${at}`);
    t.equal((await read(await made())).toString(), LINE.repeat(9000), `byte ${at}`);
  }
});

void t.test('files that nobody reads leave when there are too many bytes', async (t) => {
  const { directory, folder, files } = await place(t);
  await planLongText(lines(9000), { gzip: true, directory, key: 'read lately' });
  const [read = ''] = await files();
  const large = join(folder, 'large.gz');
  await writeFile(large, '');
  // It takes no room on the disk.
  await truncate(large, 256 * 1024 * 1024);
  await utimes(large, 1, 1);
  await mkdir(join(folder, 'strange'));
  await planLongText(lines(9000), { gzip: true, directory, key: 'another' });
  const left = await readdir(folder);
  t.notOk(left.includes('large.gz'));
  t.ok(left.includes(read));
  t.ok(left.includes('strange'), 'what has another name is not ours');
});
