/** `Last-Modified`: a corrected snapshot of the same hour is another file to every client, and no date is in the future. */
import t from 'tap';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { writePointer } from '../../support/faults/spoiled-store.js';
import { get } from '../../support/service/requests.js';
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

type Fields = Readonly<Record<string, string>>;

const statusOf = async (service: Service, path: string, headers: Fields) =>
  (await get(service, path, { headers })).status;

const dateOf = async (service: Service) =>
  (await get(service, '/meta')).headers['last-modified'] ?? '';

/** As a date in HTTP, without milliseconds. */
const written = (epochMs: number): string => new Date(epochMs).toUTCString();

void t.test('dates of answers', async (t) => {
  const service = await startServing(t, documentOf('original'), { env: { FRONT_PROCESSES: '1' } });

  await t.test('a snapshot that corrects another of the same time', async (t) => {
    const first = await get(service, FILE);
    const date = await dateOf(service);
    t.equal(date, written((await activePointer(service)).activatedAtMs));
    t.equal(first.headers['last-modified'], date);
    // Dates tell snapshots of one second not apart.
    const isOver = () => Promise.resolve(Date.now() >= Date.parse(date) + 1000);
    await eventually('the second is over', isOver);
    await publishAndServe(service, documentOf('corrected', 'Nova Beograd'));
    const second = await get(service, FILE);
    t.notSame(second.body, first.body);
    for (const path of ['/meta', FILE]) {
      t.equal(await statusOf(service, path, { 'If-Modified-Since': date }), 200, path);
    }
    const range = await statusOf(service, FILE, { 'If-Range': date, Range: 'bytes=9-' });
    t.equal(range, 200, 'whole: nothing can be joined to it');
  });

  await t.test('it is the same after a restart, and none is in the future', async (t) => {
    const date = await dateOf(service);
    await service.kill();
    const two = await startService(t, {
      root: service.root,
      env: { FRONT_PROCESSES: '2' },
      expect: ['pointer older than the last'],
    });
    await two.waitForLog('activated');
    t.equal(await dateOf(two), date);
    const pointer = await activePointer(two);
    await writePointer(two, { ...pointer, activatedAtMs: Date.now() + 86_400_000 });
    await eventually('no front has a date', async () => {
      const dates = await Promise.all(Array.from({ length: 8 }, () => dateOf(two)));
      return dates.join('') === '';
    });
    t.equal(await statusOf(two, '/meta', { 'If-Modified-Since': date }), 200);
    // A publisher with a slow clock: the same as on every other instance.
    const activatedAtMs = pointer.activatedAtMs - 5000;
    await writePointer(two, { ...pointer, activatedAtMs });
    const isEarly = async () => (await dateOf(two)) === written(activatedAtMs);
    await eventually('the date is that of the pointer', isEarly);
  });
});
