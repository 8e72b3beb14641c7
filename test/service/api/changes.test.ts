/** Histories over restarts, and what is damaged or forgotten. Changes of any pair and selection, and refusals: the fuzzer. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { serveFaulty } from '../../support/faults/web-store.js';
import { get, getJson } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually, publish, startService, type Service } from '../../support/service/service.js';

const ENV = { POINTER_POLL_SECONDS: '0.05' };

void t.test('the history of a service over its restarts', async (t) => {
  const service = await startServing(t, numbered(1), { env: ENV });
  for (const number of [2, 3]) await publishAndServe(service, numbered(number));

  await t.test('knows nothing of a stored snapshot that was never served', async (t) => {
    await publish(service, numbered(4), { activate: false });
    await publishAndServe(service, numbered(5));
    t.equal((await changesSince(service, 4)).status, 410);
    const list = await snapshotsOf(service);
    t.strictSame(list.map(idOf).join(), 'snimak-5,snimak-3,snimak-2,snimak-1');
    t.match(list[0], {
      generated_at_utc: '2026-09-10T05:00:00Z',
      activated_at_utc: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
      measurement_rows: objectsOf(numbered(5), 'measurements').length,
      active: true,
    });
    t.ok(list.slice(1).every(({ active }) => active === false));
  });

  await t.test('is kept over a restart, without what is damaged', async (t) => {
    const before = await snapshotsOf(service);
    const changes = await changesSince(service, 3);
    t.equal(changes.status, 200);
    await service.kill();
    const folder = join(service.copies, '~history');
    const [cut, flipped] = [join(folder, 'snimak-1.past'), join(folder, 'snimak-2.past')];
    const bytes = await readFile(cut);
    t.ok(bytes.byteLength < 1500, `a small document takes ${bytes.byteLength} bytes`);
    await writeFile(cut, bytes.subarray(0, -1));
    const other = await readFile(flipped);
    other[other.byteLength - 9] = (other[other.byteLength - 9] ?? 0) ^ 1;
    await writeFile(flipped, other);
    await writeFile(join(folder, 'stray.past'), 'nobody knows it');

    let documents = 0;
    const faultOf = (): undefined => {
      documents += 1;
    };
    const SNAPSHOT_STORE = await serveFaulty(t, { root: service.root, faultOf });
    const again = await startService(t, { root: service.root, env: { ...ENV, SNAPSHOT_STORE } });
    await again.waitForLog('activated');
    t.same((await changesSince(again, 3)).body, changes.body);
    t.strictSame(await snapshotsOf(again), before.slice(0, -1));
    // The bytes of the second one are looked at when they are read: then it is lost too.
    const tag = await tagOf(again);
    t.equal((await changesSince(again, 2)).status, 410);
    await eventually('it is listed no more', async () => (await snapshotsOf(again)).length === 2);
    t.not(await tagOf(again), tag, 'the list has an entity tag of its own');
    await t.rejects(stat(join(folder, 'stray.past')), 'a file that nobody knows is removed');
    for (let at = 0; at < 40; at += 1) {
      t.equal((await changesSince(again, [1, 2, 4][at % 4] ?? 100 + at)).status, 410);
    }
    t.equal(documents, 0, 'no client has the store read');
    await publishAndServe(again, numbered(6));
    t.equal(documents, 1, 'an import has');
  });
});

const changesSince = async (service: Service, number: number) =>
  await get(service, `/api/v1/changes?since=snimak-${number}`);

async function snapshotsOf(service: Service): Promise<readonly PlainDocument[]> {
  return (await getJson(service, '/api/v1/snapshots')).body as readonly PlainDocument[];
}

const tagOf = async (service: Service) => (await get(service, '/api/v1/snapshots')).headers.etag;

/** A document with another value in a new hour. */
function numbered(number: number): PlainDocument {
  const row = { station_id: 1, component_id: 8, date: '2026-09-10', time: '00:00', value: number };
  return snapshotDocument({
    snapshot_id: `snimak-${number}`,
    generated_at: `2026-09-10T0${number}:00:00Z`,
    measurements: [...objectsOf(snapshotDocument(), 'measurements'), row],
  });
}

const idOf = (snapshot: PlainDocument): string => String(snapshot['snapshot_id']);
