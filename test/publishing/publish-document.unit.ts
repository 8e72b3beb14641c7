/** Publishing a document: the stored bytes, equality, and refusals before anything is stored. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { publishDocument, type PublishOptions } from '../../src/publishing/publish-document.js';
import {
  generateDocument,
  snapshotDocument,
  writeDocument,
} from '../support/documents/documents.js';
import { verifiedActiveId } from '../support/service/published.js';
import { writableStore } from '../support/stores/open-writable.js';

const TEXT = `${JSON.stringify(snapshotDocument({ snapshot_id: 'a' }))}\n`;

function setting(folder: string) {
  const store = writableStore({ address: `file:${folder}`, keyPrefix: 'demo' });
  const publish = (file: string, more: Partial<PublishOptions> = {}) =>
    publishDocument({ store, file: join(folder, file), activate: true, ...more });
  return { store, publish, namespace: join(folder, 'demo') };
}

void t.test('stores gzip byte for byte, and plain JSON packed to the same bytes', async (t) => {
  const folder = t.testdir();
  const { publish, namespace, store } = setting(folder);
  const stored = (id: string): Promise<Buffer> =>
    readFile(join(namespace, `snapshots/${id}.json.gz`));
  const bytes = gzipSync(TEXT, { level: 9 });
  await writeFile(join(folder, 'a.json.gz'), bytes);
  const published = await publish('a.json.gz', { activate: false });
  t.match(published, { snapshotId: 'a', rows: 6, sizeBytes: bytes.length, storedBefore: false });
  t.strictSame(await stored('a'), bytes);
  t.strictSame(await store.readPointer(), { kind: 'absent' }, 'activated only when it is to');
  await writeDocument(join(folder, 'large.json'), generateDocument({ hours: 300 }));
  const { snapshotId } = await publish('large.json');
  const packed = await stored(snapshotId);
  t.strictSame(gunzipSync(packed), await readFile(join(folder, 'large.json')));
  t.equal(await verifiedActiveId(namespace), snapshotId);
  const other = join(folder, 'other');
  await mkdir(other);
  await setting(other).publish('../large.json');
  t.strictSame(await readFile(join(other, 'demo', `snapshots/${snapshotId}.json.gz`)), packed);
});

void t.test('the same document again, however compressed, is only activated', async (t) => {
  const folder = t.testdir({ 'a.json': TEXT });
  const { publish, namespace } = setting(folder);
  for (const level of [1, 9]) {
    await writeFile(join(folder, `${level}.json.gz`), gzipSync(TEXT, { level }));
  }
  t.equal((await publish('1.json.gz', { activate: false })).storedBefore, false);
  t.equal((await publish('1.json.gz', { activate: false })).storedBefore, true);
  t.equal((await publish('9.json.gz', { activate: false })).storedBefore, true);
  t.equal((await publish('a.json')).storedBefore, true);
  t.equal(await verifiedActiveId(namespace), 'a');
  const kept = await readFile(join(namespace, 'snapshots/a.json.gz'));
  t.strictSame(kept, gzipSync(TEXT, { level: 1 }));
});

void t.test('what is no document does not reach the store', async (t) => {
  const folder = t.testdir({ 'bad.json': '{}', 'empty.json.gz': '' });
  const { publish } = setting(folder);
  await writeFile(join(folder, 'cut.json.gz'), gzipSync(TEXT).subarray(0, 100));
  for (const file of ['bad.json', 'empty.json.gz', 'cut.json.gz']) {
    await t.rejects(publish(file), { code: 'document_invalid', message: new RegExp(file) });
  }
  t.notOk((await readdir(folder)).includes('demo'));
});

void t.test('stores what has been checked, whatever becomes of the file meanwhile', async (t) => {
  for (const name of ['a.json', 'a.json.gz']) {
    const folder = t.testdir();
    const { publish, namespace } = setting(folder);
    const bytes = name.endsWith('.gz') ? gzipSync(TEXT) : Buffer.from(TEXT);
    await writeFile(join(folder, name), bytes);
    await publish(name, { passGates: () => writeFile(join(folder, name), 'no document') });
    const stored = await readFile(join(namespace, 'snapshots/a.json.gz'));
    t.equal(gunzipSync(stored).toString(), TEXT);
    t.equal(await verifiedActiveId(namespace), 'a');
  }
});
