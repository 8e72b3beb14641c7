/** Files that are hashed while they are written. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { writeHashedFile } from '../../../src/workers/formats/hashed-file.js';

await t.test(
  'writes the chunks in order and knows the size and the digest of what it wrote',
  (t) => {
    const path = join(t.testdir(), 'file');
    const chunks = ['Košava', ' је ', 'вјетар'].map((text) => Buffer.from(text));
    const digest = writeHashedFile(path, chunks);
    const bytes = readFileSync(path);
    t.equal(bytes.toString(), 'Košava је вјетар');
    t.equal(digest.sizeBytes, bytes.length);
    t.equal(digest.sha256, createHash('sha256').update(bytes).digest('hex'));
    t.end();
  },
);

await t.test('leaves no file behind when a chunk fails', (t) => {
  const path = join(t.testdir(), 'file');
  function* failing(): Generator<Uint8Array> {
    yield Buffer.from('half');
    throw new RangeError('no more');
  }
  t.throws(() => writeHashedFile(path, failing()), { name: 'RangeError' });
  t.notOk(existsSync(path));
  t.end();
});

await t.test('tells a full disk by its code', (t) => {
  const path = join(t.testdir(), 'file');
  function* full(): Generator<Uint8Array> {
    yield Buffer.from('half');
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  }
  t.throws(() => writeHashedFile(path, full()), { name: 'SnapshotError', code: 'disk_full' });
  t.notOk(existsSync(path));
  t.end();
});

await t.test('does not write over a file that is there', (t) => {
  const directory = t.testdir({ file: 'kept' });
  t.throws(() => writeHashedFile(join(directory, 'file'), []), { code: 'EEXIST' });
  t.equal(readFileSync(join(directory, 'file'), 'utf8'), 'kept');
  t.end();
});
