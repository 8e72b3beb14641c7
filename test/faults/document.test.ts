/** Damaged and invalid documents: none is activated, and the good one stays active. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Pointer } from '../../src/snapshot/store/pointer.js';
import { generateDocument, snapshotDocument } from '../support/documents/documents.js';
import { chanceOf, scaled } from '../support/faults/chance.js';
import {
  gzipped,
  putDocument,
  withBitFlipped,
  withDigitChanged,
  writePointer,
} from '../support/faults/spoiled-store.js';
import { get } from '../support/service/requests.js';
import { startServing } from '../support/service/serve-documents.js';
import { eventually, type LogLine } from '../support/service/service.js';

/** Bytes of a document (undefined: none), and members of its pointer that are not those of the good document. */
type Fault = readonly [name: string, bytes: Buffer | undefined, said: Partial<Pointer>];

const chance = chanceOf(t);
const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), {
  // The pointers are written in another order than they were made in.
  expect: ['import failed', 'pointer older than the last'],
});
const { copies, published } = service;
const good = await gzipped(generateDocument({ snapshotId: 'good' }));
const right = await putDocument(service, 'good', good);
const { length } = good;
const places = Array.from({ length: scaled(1) }, () => chance.integer(length));

/** Documents that differ from their pointer. */
const CORRUPT: readonly Fault[] = [
  ...[0, length - 1, ...places].map((at): Fault => [
    `cut after ${at} of ${length} bytes`,
    good.subarray(0, at),
    {},
  ]),
  ...places.map((at): Fault => {
    return [`bit of byte ${at}`, withBitFlipped(good, 8 * at + chance.integer(8)), {}];
  }),
  ['a byte too many', Buffer.concat([good, Buffer.of(0)]), {}],
  ['a digit', good, { sha256: withDigitChanged(right.sha256, chance.integer(64)) }],
  ['the size', good, { sizeBytes: length + 1 }],
];

const counts = { organizations: 2, networks: 2, stations: 5, components: 3, measurement_rows: 6 };
const miscounted = await gzipped(snapshotDocument({ counts }));
const { sha256, sizeBytes } = await putDocument(service, 'miscounted', miscounted);

await t.test('refuses a document that is cut or altered, and serves on', async (t) => {
  const before = (await get(service, '/stations')).body;
  const faults: readonly (readonly [...Fault, code: string, reason: RegExp])[] = [
    ['no document', undefined, {}, 'snapshot_missing', /./],
    ...CORRUPT.map((fault) => [...fault, 'document_corrupt', /the pointer says/] as const),
    ['the id', good, {}, 'document_corrupt', /says that it is good/],
    ['a count', miscounted, { sha256, sizeBytes }, 'document_invalid', /counts\.stations/],
  ];
  for (const [at, [name, bytes, said, code, reason]] of faults.entries()) {
    const snapshotId = `bad-${at}`;
    const { document } = await putDocument(service, snapshotId, bytes ?? good);
    if (bytes === undefined) await rm(join(published, document));
    await writePointer(service, { ...right, snapshotId, document, ...said });
    const isFailure = (line: LogLine): boolean =>
      line.msg === 'import failed' && line['snapshot_id'] === snapshotId;
    t.match(await service.waitForLog(isFailure), { code, reason }, name);
    t.ok((await get(service, '/stations')).body.equals(before), `${name}: the old one is served`);
    t.equal((await get(service, '/health/ready')).status, 200, `${name}: and it is ready`);
    if (at > 0) continue;
    // The second attempt, a second later, fails in the same way.
    const tries = importsOf(snapshotId).length;
    await service.waitForLog(() => importsOf(snapshotId).length > tries);
    t.equal(service.lines.filter(isFailure).length, 1, 'said once');
  }
  const from = service.lines.length;
  await writePointer(service, right);
  t.match(await service.waitForLog('activated', from), { snapshot_id: 'good' });
  t.comment(`${faults.length} documents refused`);
  await eventually('nothing is left of the failed ones', async () => {
    const left = (await readdir(copies)).filter(
      (name) => !/^~(?:admin|archive|contact|fronts|history|lock|operator)/.test(name),
    );
    const ids = left.map((name) => name.split('~', 1)[0]);
    return ids.toSorted().join() === 'first,good';
  });
});

function importsOf(snapshotId: string): readonly LogLine[] {
  return service.lines.filter(
    ({ msg, snapshot_id: id }) => msg === 'importing' && id === snapshotId,
  );
}
