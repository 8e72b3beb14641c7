/** Behaviour of `bura archive`, for every kind of writable store. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { checkDocument } from '../../../../src/publishing/verify-document.js';
import { writeDocument } from '../../../support/documents/documents.js';
import { atLeast, scaled } from '../../../support/faults/chance.js';
import { archiving, assertArchive, placeOn, testerOf, type MakePlace } from './archive-place.js';
import { threeSteps, worldSteps, type Expected } from './archive-world.js';

/** Registers the tests of one kind of store. */
export function testArchive(kind: string, makePlace: MakePlace): void {
  const test = testerOf(kind, makePlace);
  test('is the union of all snapshots, the newest first, row by row', async (t, place, chance) => {
    const days = Array.from({ length: atLeast(8) }, () => 1 + chance.integer(18));
    const steps = worldSteps(chance, days);
    await place.store(steps);
    for (const batch of [steps.slice(0, 1), steps.slice(1, 7), steps.slice(7)]) {
      // The command takes ids in any order.
      const ids = batch.map(({ id }) => id).toReversed();
      const { code, stdout, stderr } = await place.bura(archiving(ids));
      t.strictSame([code, stderr], [0, '']);
      for (const id of ids) t.match(stdout, `${id}: archived (`);
      await assertArchive(t, place, batch.at(-1)?.expected);
    }
    await place.run(['verify', '--archive'], { stdout: /is whole: \d+ files/ });
  });

  test('the same rows are the same bytes; older snapshots are refused', async (t, place, chance) => {
    const { steps, first, third } = threeSteps(chance);
    const other = placeOn(t, `file:${join(place.folder, 'other')}`);
    await other.objects.prepare();
    for (const one of [place, other]) {
      await one.store(steps);
      await one.archive(steps.map(({ id }) => id));
    }
    const index = await place.indexText();
    // Times of replacements are those of the commands.
    t.same(await other.files(), await place.files());
    await place.archive([third.id], { stdout: /, 0 new\)/ });
    const older = /^bura: step-00: generated \S+Z, the archive has one of \S+Z already\n$/;
    await place.archive([first.id], { code: 1, stderr: older });
    await place.archive(['none'], { code: 1, stderr: /no snapshot "none"\n$/ });
    await place.archive(['../x'], { code: 2, stderr: /is not a snapshot id\n$/ });
    t.equal(await place.indexText(), index, 'again');
  });

  test('published with --archive, a snapshot is in it', async (t, place, chance) => {
    const { first, second } = threeSteps(chance);
    const file = join(place.folder, 'document.json');
    const gates = ['negative', 'alone', 'drop', 'code', 'unit'];
    const words = ['publish', file, '--archive', ...gates.flatMap((one) => ['--allow', one])];
    for (const { document, expected } of [first, second]) {
      await writeDocument(file, document);
      await place.run([...words, '--dry-run'], { stdout: /nothing was/ });
      await place.run([...words, '--no-activate'], { code: 2, stderr: /--no-activate/ });
      const stdout = /now active\n\S+: archived \(\d+ rows in \d+ files, \d+ new\)\n$/;
      await place.run(words, { stderr: /^$/, stdout });
      await assertArchive(t, place, expected);
    }
  });

  test('killed at any moment, nothing is lost or half named', async (t, place, chance) => {
    const steps = worldSteps(chance, [1, ...Array.from({ length: scaled(2) }, () => 4)]);
    await place.store(steps);
    let before: Expected | undefined;
    let lastsMs = 0;
    for (const { id, expected } of steps) {
      const index = await place.indexText();
      if (before !== undefined) {
        // The first part of a command's time is its start.
        await place.kill([id], lastsMs * (0.4 + 0.6 * chance.number()));
        const isDone = (await place.indexText()) !== index;
        await assertArchive(t, place, isDone ? expected : before);
      }
      const startedMs = performance.now();
      await place.archive([id]);
      lastsMs = performance.now() - startedMs;
      await assertArchive(t, place, expected);
      before = expected;
    }
  });

  test('of two at once neither is lost', async (t, place, chance) => {
    const { steps, first, second, third } = threeSteps(chance);
    await place.store(steps);
    await Promise.all([place.archive([first.id]), place.archive([first.id])]);
    await assertArchive(t, place, first.expected);
    const running = place.bura(archiving([second.id]));
    await place.archive([third.id]);
    const older = await running;
    if (older.code === 0) await assertArchive(t, place, third.expected);
    else t.match(older, { code: 1, stderr: /the archive has one of .* already/ });
    await place.run(['verify', '--archive']);
  });

  test('who finds that the index was replaced meanwhile merges anew', async (t, place, chance) => {
    const { first, second, third } = threeSteps(chance);
    await place.store([first, second]);
    await place.archive([first.id]);
    const bytes = Readable.from([Buffer.from(JSON.stringify(third.document))]);
    await place.addDuring(await checkDocument(bytes, { name: third.id }), second);
    await assertArchive(t, place, third.expected);
  });

  test('a damaged or lost file is named, and made again', async (t, place, chance) => {
    const verify = ['verify', '--archive'];
    await place.run(verify, { code: 1, stderr: /has no archive\n$/ });
    const { first, second } = threeSteps(chance);
    const ids = [first.id, second.id];
    await place.store([first, second]);
    await place.archive(ids);
    const [one, other] = await place.files();
    await place.flip(`archive/${one?.path ?? ''}`, 100);
    await place.remove(`archive/${other?.path ?? ''}`);
    const { code, stdout, stderr } = await place.bura(verify);
    t.equal(code, 1);
    t.match(stderr, /^bura: the archive is damaged: 2 of \d+ files\n$/);
    t.match(stdout, `archive/${one?.path ?? ''} has ${one?.size_bytes ?? 0} bytes, SHA-256`);
    t.match(stdout, `archive/${other?.path ?? ''} is missing`);
    await place.remove('archive/index.json');
    await place.archive(ids);
    await place.run(verify);
    await assertArchive(t, place, second.expected);
    for (const { path } of await place.files()) {
      if (/^(?:daily|stations|parameters)/.test(path)) await place.flip(`archive/${path}`, 100);
    }
    await place.archive([second.id], { code: 1, stderr: /the index says/ });
    const note = /note: archive\/stations\/\w+\.parquet is damaged or missing: left out\n/;
    await place.archive([second.id, '--repair'], { stderr: note });
    await place.run(verify);
    await assertArchive(t, place, second.expected);
    const name = 'archive/index.json';
    // For the script of a Redis store, an empty text means no content.
    const to = place.objects.address.startsWith('redis') ? '\n' : '';
    await place.objects.change({ name, from: await place.objects.read(name), to });
    const malformed = /the index of the archive is malformed: it is not JSON in UTF-8\n$/;
    for (const words of [['archive', first.id], verify, ['prune', '--keep', '1']]) {
      await place.run(words, { code: 1, stderr: malformed });
    }
    t.equal(await place.indexText(), to);
  });

  test('pruning keeps what is named, and what was replaced for a day', async (t, place, chance) => {
    const { steps, first, second, third } = threeSteps(chance);
    await place.store(steps);
    for (const { id } of [first, second, third]) {
      await place.archive([id]);
      // Their day counts from the replacement, after a second one too.
      for (const name of await place.stored()) await place.age(name);
    }
    const named = (await place.files()).map(({ path }) => `archive/${path}`).sort();
    const all = await place.stored();
    t.ok(all.length > named.length);
    const prune = ['prune', '--keep', '9'];
    await place.run(prune, { stdout: /^(?!.*archive)/ });
    t.strictSame(await place.stored(), all, 'their readers finish');
    const index = 'archive/index.json';
    const from = await place.objects.read(index);
    const to = (await place.indexText()).replaceAll(/(?<="replaced_at_utc":")\d{4}/g, '2020');
    t.equal(await place.objects.change({ name: index, from, to }), true);
    const removed = all.length - named.length;
    await place.run(prune, { stdout: `files of the archive removed: ${removed}\n` });
    t.strictSame(await place.stored(), named);
    await assertArchive(t, place, third.expected);
  });
}
