/** Documents and local copies that are not what they should be: none is served, and what is good is served on. */
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { BUILD_ID } from '../../src/build-id.js';
import type { Pointer } from '../../src/snapshot/store/store.js';
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
import { startService, type LogLine } from '../support/service/service.js';

interface DocumentFault {
  readonly name: string;
  readonly bytes: Buffer;
  /** What the pointer says in the place of what is right for the good document; `itself`: what is right for `bytes`. */
  readonly said?: Partial<Pointer> | 'itself';
  readonly reason: RegExp;
}

const OTHER_BYTES = /the pointer says/;

/** What can befall a good document, whose pointer is `right`. */
async function documentFaults(
  chance: Chance,
  good: Buffer,
  right: Pointer,
): Promise<readonly DocumentFault[]> {
  const { length } = good;
  const places = (count: number): number[] =>
    Array.from({ length: scaled(count) }, () => chance.integer(length));
  const cuts = [0, 1, 100, 4096, length - 1, ...places(4)].map((at) => ({
    name: `cut after ${at} of ${length} bytes`,
    bytes: good.subarray(0, at),
  }));
  const flips = places(5).map((at) => ({
    name: `bit of byte ${at}`,
    bytes: withBitFlipped(good, 8 * at + chance.integer(8)),
  }));
  const longer = { name: 'a byte too many', bytes: Buffer.concat([good, Buffer.of(0)]) };
  const digits = [0, 63].map((at) => ({
    name: `digit ${at} of the checksum`,
    bytes: good,
    said: { sha256: withDigitChanged(right.sha256, at) },
  }));
  const size = { name: 'the size', bytes: good, said: { sizeBytes: length + 1 } };
  const counts = snapshotDocument({
    counts: { organizations: 2, networks: 2, stations: 5, components: 3, measurement_rows: 6 },
  });
  return [
    ...[...cuts, ...flips, longer, ...digits, size].map((one) => ({ ...one, reason: OTHER_BYTES })),
    { name: 'the id', bytes: good, reason: /says that it is good/ },
    {
      name: 'a count',
      bytes: await gzipped(counts),
      said: 'itself',
      reason: /counts\.stations/,
    },
  ];
}

void t.test(
  'refuses a document that is cut, altered or not what its pointer says, and serves on',
  async (t) => {
    const first = snapshotDocument({ snapshot_id: 'first' });
    const service = await startServing(t, first, {
      // The pointers are written in another order than they were made in.
      expect: ['import failed', 'pointer older than the last'],
    });
    const before = (await get(service, '/stations')).body;
    const good = await gzipped(generateDocument({ snapshotId: 'good', hours: 72 }));
    const right = await putDocument(service, 'good', good);
    const faults = await documentFaults(chanceOf(t), good, right);
    for (const [at, { name, bytes, said = {}, reason }] of faults.entries()) {
      const snapshotId = `bad-${at}`;
      const own = await putDocument(service, snapshotId, bytes);
      const { document } = own;
      await writePointer(
        service,
        said === 'itself' ? own : { ...right, snapshotId, document, ...said },
      );
      const failed = await service.waitForLog(
        (line) => line.msg === 'import failed' && line['snapshot_id'] === snapshotId,
      );
      t.match(failed['reason'], reason, name);
      t.ok((await get(service, '/stations')).body.equals(before), `${name}: the old one is served`);
    }
    const from = service.lines.length;
    await writePointer(service, right);
    t.match(await service.waitForLog('activated', from), { snapshot_id: 'good' });
    t.comment(`${faults.length} documents refused`);
  },
);

/** What can befall the folder of a local copy while nothing runs. */
const COPY_FAULTS: Readonly<Record<string, (folder: string, chance: Chance) => Promise<void>>> = {
  cut: async (folder, chance) => {
    const file = join(folder, 'data.mdb');
    await truncate(file, chance.integer((await readFile(file)).length));
  },
  'one bit off': async (folder, chance) => {
    const file = join(folder, 'data.mdb');
    const bytes = await readFile(file);
    await writeFile(file, withBitFlipped(bytes, chance.integer(8 * bytes.length)));
  },
  'a bit of its first pages': async (folder, chance) => {
    const file = join(folder, 'data.mdb');
    await writeFile(file, withBitFlipped(await readFile(file), chance.integer(8 * 8192)));
  },
  'without its manifest': async (folder) => {
    await rm(join(folder, 'copy.json'));
  },
  'with another checksum': async (folder, chance) => {
    const file = join(folder, 'copy.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { readonly sha256: string };
    const sha256 = withDigitChanged(manifest.sha256, chance.integer(64));
    await writeFile(file, JSON.stringify({ ...manifest, sha256 }));
  },
};

void t.test('makes a copy anew that was cut or altered while nothing ran', async (t) => {
  const chance = chanceOf(t);
  const document = snapshotDocument({ snapshot_id: 'first' });
  const first = await startServing(t, document);
  const right = (await get(first, '/stations')).body;
  await first.stop();
  const faults = Object.entries(COPY_FAULTS);
  for (let turn = 0; turn < scaled(faults.length); turn += 1) {
    const [name = '', spoil] = faults[turn % faults.length] ?? [];
    await spoil?.(join(first.copies, `first~${BUILD_ID}`), chance);
    const expect = ['local copy damaged'];
    const service = await startService(t, { root: first.root, expect });
    const imported = (line: LogLine): boolean => line.msg === 'activated' && 'import_ms' in line;
    await service.waitForLog(imported);
    t.equal(service.lines.filter(({ msg }) => msg === 'local copy damaged').length, 1, name);
    t.ok((await get(service, '/stations')).body.equals(right), name);
    await service.stop();
  }
});
