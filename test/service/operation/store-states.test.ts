/** What the service answers while its store, its documents or its disk are not as they should be. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import type { Pointer } from '../../../src/snapshot/store/store.js';
import { mountSmallDisk } from '../../systems/support/small-disk.js';
import { waitForChild } from '../../support/service/children.js';
import { generateDocument, snapshotDocument } from '../../support/documents/documents.js';
import { get, getJson } from '../../support/service/requests.js';
import { startServing as startServingDocument } from '../../support/service/serve-documents.js';
import {
  activePointer,
  eventually,
  makeRoot,
  publish,
  startService,
  type LogLine,
  type Service,
  type ServiceOptions,
} from '../../support/service/service.js';

const UNAVAILABLE = { detail: 'Active snapshot is not available or incompatible.' };

/** A service that serves a snapshot named `first`. */
async function startServing(t: Test, options: ServiceOptions = {}): Promise<Service> {
  return await startServingDocument(t, snapshotDocument({ snapshot_id: 'first' }), options);
}

async function writePointer(service: Service, text: string): Promise<void> {
  const path = join(service.published, 'active.json');
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

interface Stored {
  readonly pointer: Pointer;
  /** Its document's path. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** Stores a document beside the active one, and makes the pointer that would name it. */
async function store(service: Service, snapshotId: string): Promise<Stored> {
  await publish(service, snapshotDocument({ snapshot_id: snapshotId }), { activate: false });
  const document = `snapshots/${snapshotId}.json.gz`;
  const path = join(service.published, document);
  const bytes = await readFile(path);
  const pointer = {
    snapshotId,
    schemaVersion: '1.2.0',
    document,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    activatedAtMs: Date.now(),
  };
  return { pointer, path, bytes };
}

async function serves(t: Test, service: Service, snapshotId: string): Promise<void> {
  const meta = await getJson(service, '/meta');
  t.equal(meta.status, 200);
  t.equal(meta.headers['x-snapshot-id'], snapshotId);
  const ready = await getJson(service, '/health/ready');
  t.match(ready, { status: 200, body: { status: 'ok', check: 'ready', snapshot_id: snapshotId } });
}

async function servesNothing(t: Test, service: Service): Promise<void> {
  // The supervisor has said it; the front is told a moment later.
  await eventually('data answer 503', async () => (await get(service, '/meta')).status === 503);
  const data = await getJson(service, '/stations');
  t.equal(data.status, 503);
  t.same(data.body, UNAVAILABLE);
  const ready = await getJson(service, '/health/ready');
  t.equal(ready.status, 503);
  t.match(ready.body, { status: 'error', check: 'ready', ...UNAVAILABLE });
  t.equal((await getJson(service, '/health/live')).status, 200);
}

async function readinessSays(service: Service, said: { readonly store: string }): Promise<void> {
  await eventually(`readiness says that the store is ${said.store}`, async () => {
    const { body } = await get(service, '/health/ready');
    return body.toString().includes(`"store":"${said.store}"`);
  });
}

const said = (service: Service, msg: string): readonly LogLine[] =>
  service.lines.filter((line) => line.msg === msg);

const importing = (snapshotId: string) => (line: LogLine) =>
  line.msg === 'importing' && line['snapshot_id'] === snapshotId;

const activated = (snapshotId: string) => (line: LogLine) =>
  line.msg === 'activated' && line['snapshot_id'] === snapshotId;

void t.test('answers 503 while no pointer is there, and 200 when it is back', async (t) => {
  const service = await startServing(t, { expect: ['unavailable'] });
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

void t.test(
  'answers 503 under a foreign schema version, and 200 when it is ours again',
  async (t) => {
    const service = await startServing(t, { expect: ['unavailable'] });
    const pointer = await activePointer(service);
    await writePointer(service, encodePointer({ ...pointer, schemaVersion: '9.9.9' }));
    t.match(await service.waitForLog('unavailable'), {
      reason: 'schema_version',
      detail: /9\.9\.9/,
    });
    await servesNothing(t, service);
    const from = service.lines.length;
    await writePointer(service, encodePointer(pointer));
    await service.waitForLog('activated', from);
    await serves(t, service, 'first');
  },
);

void t.test('serves on under a malformed pointer, and says why', async (t) => {
  const service = await startServing(t, { expect: ['pointer malformed'] });
  const good = encodePointer((await store(service, 'second')).pointer);
  const texts = ['{', '[]', good.replace('"second"', '"../x"'), good + ' '.repeat(1_000_000)];
  for (const text of texts) {
    const from = service.lines.length;
    await writePointer(service, text);
    t.match(await service.waitForLog('pointer malformed', from), { code: 'pointer_malformed' });
    await serves(t, service, 'first');
  }
  await writePointer(service, good);
  await service.waitForLog(activated('second'));
  t.equal(said(service, 'pointer malformed').length, texts.length, 'once each');
});

/** What can be wrong with a stored document, and by which code it is refused. */
const BAD_DOCUMENTS: readonly {
  readonly wrong: string;
  readonly code: string;
  readonly spoil: (stored: Stored) => Promise<void>;
}[] = [
  { wrong: 'missing', code: 'snapshot_missing', spoil: ({ path }) => rm(path) },
  {
    wrong: 'empty',
    code: 'document_corrupt',
    spoil: ({ path }) => writeFile(path, ''),
  },
  {
    wrong: 'truncated',
    code: 'document_corrupt',
    spoil: ({ path, bytes }) => writeFile(path, bytes.subarray(0, bytes.length >> 1)),
  },
  {
    wrong: 'one-bit-off',
    code: 'document_corrupt',
    spoil: ({ path, bytes }) => {
      const spoiled = Buffer.from(bytes);
      spoiled.writeUInt8(spoiled.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      return writeFile(path, spoiled);
    },
  },
];

void t.test(
  'serves on while the new document is bad, says why once, takes the next good one',
  async (t) => {
    const service = await startServing(t, { expect: ['import failed'] });
    for (const { wrong, code, spoil } of BAD_DOCUMENTS) {
      const stored = await store(service, wrong);
      await spoil(stored);
      await writePointer(service, encodePointer(stored.pointer));
      const failed = (line: LogLine): boolean =>
        line.msg === 'import failed' && line['snapshot_id'] === wrong;
      t.match(await service.waitForLog(failed), { code, reason: String }, wrong);
      await serves(t, service, 'first');
      // The second attempt, a second later, fails in the same way.
      const importing = said(service, 'importing').length;
      await service.waitForLog(() => said(service, 'importing').length > importing);
      t.equal(service.lines.filter(failed).length, 1, 'said once');
    }
    await publish(service, snapshotDocument({ snapshot_id: 'good' }));
    await service.waitForLog(activated('good'));
    await serves(t, service, 'good');
    await eventually('nothing is left of the failed ones', async () => {
      const left = await readdir(service.copies);
      const copies = left.filter((name) => !/^~(?:contact|fronts|history|lock)/.test(name));
      return copies.toSorted().join() === `first~${BUILD_ID},good~${BUILD_ID}`;
    });
  },
);

void t.test('serves on while the store is gone, and follows it when it is back', async (t) => {
  const service = await startServing(t, { expect: ['store unreachable'] });
  const path = join(service.root, 'store');
  await rename(path, `${path}.away`);
  await writeFile(path, 'where a directory was');
  await service.waitForLog('store unreachable');
  await serves(t, service, 'first');
  await readinessSays(service, { store: 'unreachable' });

  const from = service.lines.length;
  await rm(path);
  await rename(`${path}.away`, path);
  await service.waitForLog('store reachable', from);
  await readinessSays(service, { store: 'ok' });
  await publish(service, snapshotDocument({ snapshot_id: 'second' }));
  await service.waitForLog(activated('second'));
  t.equal(said(service, 'store unreachable').length, 1);
});

void t.test(
  'starts without its store on the last copy within the grace, and not at all after it',
  async (t) => {
    const first = await startServing(t);
    const { root } = first;
    await first.kill();
    const path = join(root, 'store');
    await rename(path, `${path}.away`);
    await writeFile(path, 'where a directory was');

    const within = await startService(t, { root, expect: ['store unreachable'] });
    await within.waitForLog(activated('first'));
    await serves(t, within, 'first');
    await within.stop();

    const expect = ['store unreachable', 'unavailable'];
    const beyond = await startService(t, { root, expect, env: { STORE_GRACE_SECONDS: '0' } });
    t.match(await beyond.waitForLog('unavailable'), { reason: 'store_unreachable' });
    await servesNothing(t, beyond);

    await rm(path);
    await rename(`${path}.away`, path);
    await beyond.waitForLog(activated('first'));
    await serves(t, beyond, 'first');
  },
);

/** Has the one copy be of another build: what an instance finds after an upgrade. */
async function ageCopy({ copies }: Service): Promise<void> {
  const [from, to] = [BUILD_ID, OTHER_BUILD].map((build) => join(copies, `first~${build}`));
  if (from === undefined || to === undefined) throw new Error('no copy');
  await rename(from, to);
  const manifest = await readFile(join(to, 'copy.json'), 'utf8');
  await writeFile(join(to, 'copy.json'), manifest.replace(BUILD_ID, OTHER_BUILD));
}

const OTHER_BUILD = 'another0';
const tagOf = async (service: Service): Promise<unknown> =>
  (await get(service, '/meta')).headers.etag;
const OWN_TAG = `W/"first-${BUILD_ID}"`;
/** Some answers are the other build's, some are rendered now: neither build's tag would be true. */
const MIXED_TAG = `W/"first-${OTHER_BUILD}-${BUILD_ID}"`;

void t.test(
  'after an upgrade makes its own copy, and no answer has the tag of before',
  async (t) => {
    const first = await startServing(t);
    t.equal(await tagOf(first), OWN_TAG);
    await first.stop();
    await ageCopy(first);
    const upgraded = await startService(t, { root: first.root });
    await upgraded.waitForLog((line) => activated('first')(line) && 'import_ms' in line);
    t.equal(said(upgraded, 'importing').length, 1);
    t.equal(await tagOf(upgraded), OWN_TAG);
    const tag = { headers: { 'If-None-Match': `W/"first-${OTHER_BUILD}"` } };
    t.equal((await get(upgraded, '/meta', tag)).status, 200);
    await eventually('the other copy is gone', async () => {
      const names = await readdir(upgraded.copies);
      return names.filter((name) => !name.startsWith('~')).join() === `first~${BUILD_ID}`;
    });
  },
);

void t.test(
  'after an upgrade without its store serves the older copy, under its own tag',
  async (t) => {
    const first = await startServing(t);
    await first.kill();
    await ageCopy(first);
    const path = join(first.root, 'store');
    await rename(path, `${path}.away`);
    await writeFile(path, 'where a directory was');

    const upgraded = await startService(t, { root: first.root, expect: ['store unreachable'] });
    await upgraded.waitForLog(activated('first'));
    await serves(t, upgraded, 'first');
    t.equal(await tagOf(upgraded), MIXED_TAG);
    t.equal((await get(upgraded, '/api/v1/stations')).headers.etag, MIXED_TAG);
    const from = upgraded.lines.length;
    await rm(path);
    await rename(`${path}.away`, path);
    await upgraded.waitForLog(activated('first'), from);
    t.equal(await tagOf(upgraded), OWN_TAG);
    await serves(t, upgraded, 'first');
  },
);

void t.test('serves on while an import is killed half-way, and makes it again', async (t) => {
  const service = await startServing(t, { expect: ['import failed'] });
  await publish(service, generateDocument({ stations: 20, hours: 720, snapshotId: 'large' }));
  await service.waitForLog(importing('large'));
  const { pid } = await waitForChild(service.pid, 'import-process.js');
  process.kill(pid, 'SIGKILL');
  const failed = await service.waitForLog('import failed');
  t.match(failed, { code: 'import_failed', snapshot_id: 'large', reason: /SIGKILL/ });
  await serves(t, service, 'first');
  await service.waitForLog(activated('large'));
  await serves(t, service, 'large');
});

/** Files of 2 or 4 MiB at the most, whatever a block is to the shell: where nobody may mount, and for a late end. */
const SMALL_FILES = ['sh', '-c', 'ulimit -f 4096 && exec "$@"', 'sh'];

void t.test(
  'serves on while the disk is too full for the new copy, and takes one that fits',
  async (t) => {
    const root = await makeRoot(t);
    const disk = await mountSmallDisk(t, '4m');
    // To LMDB, what fails while it writes is an input/output error, whatever the reason.
    const disks = [
      { name: 'a full disk', limit: { env: { LOCAL_DIR: disk.folder } }, code: 'disk_full' },
      { name: 'a limit on files', limit: { wrap: SMALL_FILES }, code: 'import_failed' },
    ];
    for (const { name, limit, code } of disks) {
      await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
      const service = await startService(t, { root, ...limit, expect: ['import failed'] });
      await service.waitForLog(activated('first'));
      const snapshotId = `large-${code}`;
      await publish(service, generateDocument({ stations: 20, hours: 720, snapshotId }));
      const failed = await service.waitForLog('import failed');
      t.match(failed, { code, snapshot_id: snapshotId }, name);
      await serves(t, service, 'first');
      await publish(service, snapshotDocument({ snapshot_id: 'small' }));
      await service.waitForLog(activated('small'));
      await serves(t, service, 'small');
      await service.stop();
    }
  },
);
