/** The history of an instance: which snapshots it keeps, whatever is activated in whatever order, and whatever cannot be read. */
import { access, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { KeptHistory } from '../../../src/snapshot/history/kept-history.js';
import { historyFolder, readPast, writePast } from '../../../src/snapshot/history/past-files.js';
import { makeUnreadable } from '../spoiled-copy.js';
import { scaled } from '../../support/faults/chance.js';

const GENERATED_AT = Date.parse('2026-09-10T00:00:00Z');

async function directoryOf(t: Test, name: string): Promise<string> {
  const directory = join(t.testdir(), name);
  await mkdir(directory, { recursive: true });
  return directory;
}

const openHistory = (directory: string, limit: number, failures: unknown[] = []) =>
  KeptHistory.open({
    directory,
    limit,
    onChange: () => undefined,
    onFailure: (error) => failures.push(error),
  });

const nameOf = (snapshotId: string) => ({ snapshotId, documentSha256: `digest of ${snapshotId}` });

/** The file that an import writes before its snapshot is served. */
const write = (directory: string, snapshotId: string, generatedAtMs = GENERATED_AT) =>
  writePast(historyFolder(directory), {
    ...nameOf(snapshotId),
    generatedAtMs,
    measurementRows: 0,
    stations: [],
    parameterCodes: [],
    series: [],
  });

const idsOf = ({ current }: KeptHistory): readonly string[] =>
  current.snapshots.map(({ snapshotId }) => snapshotId).toSorted();

async function serve(directory: string, history: KeptHistory, ...ids: readonly string[]) {
  for (const id of ids) {
    await write(directory, id);
    await history.serving(id, {});
    history.served(id);
  }
}

void t.test('keeps what is activated, and so many before it, in any order', async (t) => {
  let run = 0;
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    /** Hour of the snapshot: many have the same. */
    hour: fc.integer({ min: 0, max: 1 }),
    /** Whether the fronts say in time that they serve it. */
    isLate: fc.boolean(),
    isRemoved: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3 }),
      fc.array(step, { maxLength: 12 }),
      async (limit, steps) => {
        const directory = await directoryOf(t, String((run += 1)));
        const folder = historyFolder(directory);
        const history = await openHistory(directory, limit);
        /** Newest first, as they were served; the two first have copies, so that going back needs no import. */
        let served: readonly string[] = [];
        for (const { id, hour, isLate, isRemoved } of steps) {
          if (!served.slice(0, 2).includes(id)) {
            await history.importing(id);
            await write(directory, id, GENERATED_AT + hour * 3_600_000);
          }
          const list = await history.serving(id, {});
          if (isLate) await Promise.resolve();
          if (isRemoved) history.forget([id]);
          history.served(id);
          served = [id, ...served.filter((one) => one !== id)];
          const expected = served.slice(0, limit + 1).toSorted();
          if (list.snapshots.every(({ snapshotId }) => snapshotId !== id)) return false;
          if (idsOf(history).join() !== expected.join()) return false;
          if (history.current.previousId !== (limit > 0 ? served[1] : undefined)) return false;
          // A rollback may come while old files are being removed.
          if (!isLate) await history.stop();
          for (const one of expected) readPast(folder, nameOf(one));
        }
        await history.stop();
        return true;
      },
    ),
    { numRuns: scaled(15) },
  );
});

void t.test('an import that begins before a late front is heard keeps its file', async (t) => {
  const directory = await directoryOf(t, 'copies');
  const history = await openHistory(directory, 1);
  await serve(directory, history, 'a', 'b');
  await write(directory, 'c');
  await history.serving('c', {});
  await history.importing('a');
  await write(directory, 'a');
  history.served('c');
  await history.stop();
  t.same(idsOf(history), ['b', 'c']);
  await history.serving('a', {});
  history.served('a');
  t.same(idsOf(history), ['a', 'c']);
  t.equal(readPast(historyFolder(directory), nameOf('a')).snapshotId, 'a');
});

void t.test('what cannot be read for a moment is not lost', async (t) => {
  const directory = await directoryOf(t, 'copies');
  const folder = historyFolder(directory);
  const first = await openHistory(directory, 3);
  await serve(directory, first, 'a', 'b', 'c');
  await first.stop();
  const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.past'));

  for (const name of ['served.json', 'a.past', 'c.past']) {
    const failures: { readonly code?: string }[] = [];
    const restore = await makeUnreadable(join(folder, name), join(directory, '..'));
    const history = await openHistory(directory, 3, failures);
    t.match(failures, [{ code: 'copy_unreadable' }], name);
    if (name === 'a.past') {
      await history.reverify(['a', 'b']);
      t.throws(() => readPast(folder, nameOf('a')), { code: 'copy_unreadable' });
    }
    await restore();
    t.same((await files()).toSorted(), ['a.past', 'b.past', 'c.past'], name);
    await history.serving('c', {});
    history.served('c');
    t.same(idsOf(history), ['a', 'b', 'c'], `${name}: and is known again`);
    await history.stop();
    t.same(idsOf(await openHistory(directory, 3)), ['a', 'b', 'c'], name);
  }
  await access(join(folder, 'served.json'));
});
