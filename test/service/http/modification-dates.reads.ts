/** `Last-Modified` and the conditions by dates: a corrected snapshot of the same hour is another file to every client. */
import t from 'tap';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { gzipped, putDocument, writePointer } from '../../support/faults/spoiled-store.js';
import { get, type Received } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import {
  activePointer,
  eventually,
  startService,
  type Service,
} from '../../support/service/service.js';

const FILE = '/api/v1/bulk/stations.csv';

/** A document of the same hour and the same size of every file, in which one letter of a name may be another. */
function documentOf(id: string, name = 'Novi Beograd'): PlainDocument {
  const text = JSON.stringify(snapshotDocument({ snapshot_id: id }));
  return JSON.parse(text.replaceAll('"Novi Beograd"', `"${name}"`)) as PlainDocument;
}

const dateOf = ({ headers }: Received): number => Date.parse(headers['last-modified'] ?? '');

const secondOf = (epochMs: number): number => Math.floor(epochMs / 1000) * 1000;

const asked = async (service: Service, path: string, headers: Readonly<Record<string, string>>) =>
  await get(service, path, { headers });

/** Waits until another second than that of `date` has begun: dates tell snapshots of one second not apart. */
const secondOver = async (date: number): Promise<void> => {
  await eventually('the second is over', () => Promise.resolve(Date.now() >= date + 1000));
};

/** Moves the active pointer to another time, and waits until its date is `wanted`. */
async function redate(service: Service, activatedAtMs: number, wanted: number): Promise<void> {
  await writePointer(service, { ...(await activePointer(service)), activatedAtMs });
  await eventually(
    `the date is ${new Date(wanted).toISOString()}`,
    async () => dateOf(await get(service, '/meta')) === wanted,
  );
}

void t.test('dates of answers', async (t) => {
  const service = await startServing(t, documentOf('original'), { env: { FRONT_PROCESSES: '1' } });

  await t.test('a snapshot that corrects another of the same time', async (t) => {
    const pointer = await activePointer(service);
    const first = await get(service, FILE);
    const date = first.headers['last-modified'] ?? '';
    t.equal(dateOf(first), secondOf(pointer.activatedAtMs));
    t.equal(dateOf(await get(service, '/meta')), secondOf(pointer.activatedAtMs));
    const byDate = await asked(service, FILE, { 'If-Range': date, Range: 'bytes=9-' });
    t.equal(byDate.status, 200, 'a date proves nothing about bytes');

    await secondOver(dateOf(first));
    await publishAndServe(service, documentOf('corrected', 'Nova Beograd'));
    const second = await get(service, FILE);
    t.notSame(second.body, first.body);
    for (const path of ['/meta', FILE]) {
      t.equal((await asked(service, path, { 'If-Modified-Since': date })).status, 200, path);
    }
    for (const range of ['bytes=9-', 'bytes=-5', 'bytes=0-0']) {
      const answer = await asked(service, FILE, { 'If-Range': date, Range: range });
      t.equal(answer.status, 200, range);
      t.same(answer.body, second.body, 'whole: nothing can be joined to it');
    }

    await secondOver(dateOf(second));
    const laterMs = Date.now();
    await redate(service, laterMs, secondOf(laterMs));
    const later = (await get(service, '/meta')).headers['last-modified'] ?? '';
    t.equal((await asked(service, '/meta', { 'If-Modified-Since': later })).status, 304);
    const tag = (await get(service, FILE)).headers.etag;
    t.equal(tag, second.headers.etag, 'published again it is the same file');
  });

  await t.test('two snapshots that were activated within the same second', async (t) => {
    const at = secondOf((await activePointer(service)).activatedAtMs);
    const second = await get(service, '/meta');
    await secondOver(at);
    const from = service.lines.length;
    const document = await gzipped(snapshotDocument({ snapshot_id: 'third' }));
    const prepared = await putDocument(service, 'third', document);
    await writePointer(service, { ...prepared, activatedAtMs: at + 999 });
    await service.waitForLog('activated', from);
    const third = await get(service, '/meta');
    t.equal(third.headers['last-modified'], second.headers['last-modified'], 'on all instances');
    const tag = second.headers.etag ?? '';
    t.equal((await asked(service, '/meta', { 'If-None-Match': tag })).status, 200, 'tags differ');
  });

  const date = (await get(service, '/meta')).headers['last-modified'] ?? '';
  await service.kill();
  /** The service again, with two fronts. */
  const two = await startService(t, {
    root: service.root,
    env: { FRONT_PROCESSES: '2' },
    expect: ['pointer older than the last'],
  });
  await two.waitForLog('activated');

  await t.test('it is the same after a restart', async (t) => {
    t.equal((await get(two, '/meta')).headers['last-modified'], date);
    t.equal((await asked(two, '/meta', { 'If-Modified-Since': date })).status, 304);
  });

  await t.test('none is in the future', async (t) => {
    const pointer = await activePointer(two);
    await writePointer(two, { ...pointer, activatedAtMs: Date.now() + 86_400_000 });
    await eventually('no front has a date', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => get(two, '/meta')));
      return answers.every(({ headers }) => headers['last-modified'] === undefined);
    });
    t.equal((await asked(two, '/meta', { 'If-Modified-Since': date })).status, 200);
    // A publisher with a slow clock: the same as on every other instance.
    const early = secondOf(pointer.activatedAtMs) - 5000;
    await redate(two, early, early);
  });
});
