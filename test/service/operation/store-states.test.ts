/** Answers of the service while its store or its pointer is not as it should be, over restarts and an upgrade too. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { breakStore, writePointer } from '../../support/faults/spoiled-store.js';
import { copyFolder } from '../../support/service/copy-folders.js';
import { get, getJson } from '../../support/service/requests.js';
import { activated, startServing } from '../../support/service/serve-documents.js';
import {
  activePointer,
  eventually,
  publish,
  startService,
  type LogLine,
  type Service,
} from '../../support/service/service.js';

const UNAVAILABLE = { detail: 'Active snapshot is not available or incompatible.' };

const OTHER_BUILD = 'another0';
const OWN_TAG = `W/"third-${BUILD_ID}"`;
/** Some answers are the other build's, some are rendered now: neither build's tag would be true. */
const MIXED_TAG = `W/"third-${OTHER_BUILD}-${BUILD_ID}"`;

/** One service after the other, with the same store and the same copies. */
const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), {
  expect: ['unavailable', 'pointer malformed', 'store unreachable'],
});
const { root, copies } = service;

async function serves(t: Test, service: Service, id: string): Promise<void> {
  const { status, headers } = await getJson(service, '/meta');
  t.same([status, headers['x-snapshot-id']], [200, id]);
  const body = { status: 'ok', check: 'ready', snapshot_id: id };
  t.match(await getJson(service, '/health/ready'), { status: 200, body });
}

async function servesNothing(t: Test, service: Service): Promise<void> {
  // The front gets the supervisor's message a moment later.
  await eventually('data answer 503', async () => (await get(service, '/meta')).status === 503);
  const { status, body } = await getJson(service, '/stations');
  t.same([status, body], [503, UNAVAILABLE]);
  const notReady = { status: 'error', check: 'ready', ...UNAVAILABLE };
  t.match(await getJson(service, '/health/ready'), { status: 503, body: notReady });
  t.equal((await getJson(service, '/health/live')).status, 200);
}

async function readinessSays(service: Service, store: string): Promise<string> {
  let said = '';
  await eventually(`readiness says that the store is ${store}`, async () => {
    said = (await get(service, '/health/ready')).body.toString();
    return said.includes(`"store":"${store}"`);
  });
  return said;
}

const tagOf = async (service: Service): Promise<unknown> =>
  (await get(service, '/meta')).headers.etag;

const said = (service: Service, msg: string): readonly LogLine[] =>
  service.lines.filter((line) => line.msg === msg);

await t.test('answers 503 while no pointer is there, and 200 when it is back', async (t) => {
  await serves(t, service, 'first');
  const imports = said(service, 'importing').length;
  const pointer = await activePointer(service);
  await rm(join(service.published, 'active.json'));
  t.match(await service.waitForLog('unavailable'), { reason: 'pointer_absent' });
  await servesNothing(t, service);
  const from = service.lines.length;
  await writePointer(service, encodePointer(pointer));
  await service.waitForLog('activated', from);
  await serves(t, service, 'first');
  t.equal(said(service, 'importing').length, imports, 'its copy was still there');
});

await t.test('serves on under a malformed pointer, and says why', async (t) => {
  const second = snapshotDocument({ snapshot_id: 'second' });
  await publish(service, second, { activate: false });
  const good = encodePointer(await activePointer(service));
  const texts = ['{', good.replace('"first"', '"../x"'), good + ' '.repeat(1_000_000)];
  for (const text of texts) {
    const from = service.lines.length;
    await writePointer(service, text);
    t.match(await service.waitForLog('pointer malformed', from), { code: 'pointer_malformed' });
    await serves(t, service, 'first');
  }
  await publish(service, second);
  await activated(service, { snapshot_id: 'second' }, 0);
  t.equal(said(service, 'pointer malformed').length, texts.length, 'once each');
});

await t.test(
  'serves on while the store is gone, tells strangers nothing of it, and follows it when it is back',
  async (t) => {
    const mend = await breakStore(root);
    const line = await service.waitForLog('store unreachable');
    t.match(line['detail'], root, 'the log has the address');
    await serves(t, service, 'second');
    t.notMatch(await readinessSays(service, 'unreachable'), /file:|\//);

    const from = service.lines.length;
    await mend();
    await service.waitForLog('store reachable', from);
    await readinessSays(service, 'ok');
    await publish(service, snapshotDocument({ snapshot_id: 'third' }));
    await activated(service, { snapshot_id: 'third' }, 0);
    t.equal(said(service, 'store unreachable').length, 1);
  },
);

await t.test(
  'starts without its store on the last copy within the grace, and not at all after it',
  async (t) => {
    await service.kill();
    const mend = await breakStore(root);
    const within = await startService(t, { root, expect: ['store unreachable'] });
    await activated(within, { snapshot_id: 'third' }, 0);
    await serves(t, within, 'third');
    await within.stop();

    const expect = ['store unreachable', 'unavailable'];
    const beyond = await startService(t, { root, expect, env: { STORE_GRACE_SECONDS: '0' } });
    t.match(await beyond.waitForLog('unavailable'), { reason: 'store_unreachable' });
    await servesNothing(t, beyond);

    await mend();
    await activated(beyond, { snapshot_id: 'third' }, 0);
    await serves(t, beyond, 'third');
    t.equal(await tagOf(beyond), OWN_TAG);
    await beyond.stop();
  },
);

/** Has a copy be of another build: what an instance finds after an upgrade. */
async function ageCopy(snapshotId: string): Promise<void> {
  const from = copyFolder(copies, snapshotId);
  const to = from.replace(BUILD_ID, OTHER_BUILD);
  await rename(from, to);
  const manifest = await readFile(join(to, 'copy.json'), 'utf8');
  await writeFile(join(to, 'copy.json'), manifest.replace(BUILD_ID, OTHER_BUILD));
}

await t.test(
  'after an upgrade without its store serves the older copy under a tag of its own, then makes its own copy',
  async (t) => {
    await ageCopy('third');
    const mend = await breakStore(root);
    const upgraded = await startService(t, { root, expect: ['store unreachable'] });
    await activated(upgraded, { snapshot_id: 'third' }, 0);
    await serves(t, upgraded, 'third');
    t.equal(await tagOf(upgraded), MIXED_TAG);
    t.equal((await get(upgraded, '/api/v1/stations')).headers.etag, MIXED_TAG);

    const from = upgraded.lines.length;
    await mend();
    t.type((await activated(upgraded, { snapshot_id: 'third' }, from))['import_ms'], 'number');
    t.equal(said(upgraded, 'importing').length, 1);
    t.equal(await tagOf(upgraded), OWN_TAG);
    await serves(t, upgraded, 'third');
    for (const tag of [MIXED_TAG, `W/"third-${OTHER_BUILD}"`]) {
      const headers = { 'If-None-Match': tag };
      t.equal((await get(upgraded, '/meta', { headers })).status, 200, 'no answer has it any more');
    }
    await eventually('the other copy is gone', async () => {
      const names = await readdir(copies);
      return !names.some((name) => name.endsWith(OTHER_BUILD));
    });
  },
);
