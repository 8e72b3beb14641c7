/** Damaged and invalid documents: none is activated, and the good one stays active. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Pointer } from '../../src/snapshot/store/pointer.js';
import { generateDocument, snapshotDocument } from '../support/documents/documents.js';
import { chanceOf, scaled, type Chance } from '../support/faults/chance.js';
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

interface DocumentFault {
  readonly name: string;
  /** Undefined without bytes. */
  readonly bytes: Buffer | undefined;
  /** Members that replace the pointer's right ones; `itself`: the right ones for `bytes`. */
  readonly said?: Partial<Pointer> | 'itself';
  readonly code: string;
  readonly reason: RegExp;
}

const OTHER_BYTES = { code: 'document_corrupt', reason: /the pointer says/ };

/** Faults of a good document, whose pointer is `right`. */
async function documentFaults(
  chance: Chance,
  good: Buffer,
  right: Pointer,
): Promise<readonly DocumentFault[]> {
  const { length } = good;
  const places = (count: number): number[] =>
    Array.from({ length: scaled(count) }, () => chance.integer(length));
  const cuts = [0, length - 1, ...places(1)].map((at) => ({
    name: `cut after ${at} of ${length} bytes`,
    bytes: good.subarray(0, at),
  }));
  const flips = places(1).map((at) => ({
    name: `bit of byte ${at}`,
    bytes: withBitFlipped(good, 8 * at + chance.integer(8)),
  }));
  const longer = { name: 'a byte too many', bytes: Buffer.concat([good, Buffer.of(0)]) };
  const digit = {
    name: 'a digit of the checksum',
    bytes: good,
    said: { sha256: withDigitChanged(right.sha256, chance.integer(64)) },
  };
  const size = { name: 'the size', bytes: good, said: { sizeBytes: length + 1 } };
  const counts = snapshotDocument({
    counts: { organizations: 2, networks: 2, stations: 5, components: 3, measurement_rows: 6 },
  });
  return [
    { name: 'no document', bytes: undefined, code: 'snapshot_missing', reason: /./ },
    ...[...cuts, ...flips, longer, digit, size].map((one) => ({ ...one, ...OTHER_BYTES })),
    { name: 'the id', bytes: good, code: 'document_corrupt', reason: /says that it is good/ },
    {
      name: 'a count',
      bytes: await gzipped(counts),
      said: 'itself',
      code: 'document_invalid',
      reason: /counts\.stations/,
    },
  ];
}

const chance = chanceOf(t);
const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), {
  // The pointers are written in another order than they were made in.
  expect: ['import failed', 'pointer older than the last'],
});
const { copies, published } = service;
const good = await gzipped(generateDocument({ snapshotId: 'good' }));
const right = await putDocument(service, 'good', good);

await t.test('refuses a document that is cut or altered, and serves on', async (t) => {
  const before = (await get(service, '/stations')).body;
  const faults = await documentFaults(chance, good, right);
  for (const [at, { name, bytes, said = {}, code, reason }] of faults.entries()) {
    const snapshotId = `bad-${at}`;
    const own = await putDocument(service, snapshotId, bytes ?? good);
    const { document } = own;
    if (bytes === undefined) await rm(join(published, document));
    await writePointer(
      service,
      said === 'itself' ? own : { ...right, snapshotId, document, ...said },
    );
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
    const left = await readdir(copies);
    const own = left.filter(
      (name) => !/^~(?:admin|archive|contact|fronts|history|lock|operator)/.test(name),
    );
    return (
      own
        .map((name) => name.split('~', 1)[0])
        .toSorted()
        .join() === 'first,good'
    );
  });
});

function importsOf(snapshotId: string): readonly LogLine[] {
  return service.lines.filter(
    ({ msg, snapshot_id: id }) => msg === 'importing' && id === snapshotId,
  );
}
