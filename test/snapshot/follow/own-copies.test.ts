/** Entries that are removed from the directory of local copies: those with the service's mark, and nothing else. */
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { copyFolder } from '../../support/service/copy-folders.js';
import { activePointer, BUILD, FORMER_MS, POLL_MS, startFollowing } from './following.js';
import { forkWithoutHooks } from '../../support/service/plain-node.js';
import { makeRoot, publish } from '../../support/service/service.js';

await forkWithoutHooks(await makeRoot(t));

const DIGEST = 'ab'.repeat(32);

void t.test('removes nothing that is not its own, and names it once', async (t) => {
  const root = await makeRoot(t);
  const copies = join(root, 'local', 'demo');
  // Named like copies or orphaned ones, but without their mark.
  const old = `old~${DIGEST}~${BUILD}`;
  const foreignEntries = ['backup', old, '~12-import', '~x', '20260101T000000Z'];
  for (const name of foreignEntries) {
    await mkdir(join(copies, name), { recursive: true });
    await writeFile(join(copies, name, 'data.mdb'), 'somebody else’s');
  }
  await writeFile(join(copies, `named~${DIGEST}~${BUILD}`), 'a file');
  await writeFile(join(copies, 'notes.txt'), 'kept');
  // Remains of an import or a removal that was killed beside the mark.
  for (const name of ['~13-empty', `removed~${DIGEST}~${BUILD}`]) await mkdir(join(copies, name));

  const following = await startFollowing(t, { root });
  const { names } = await following.next('foreign_entries');
  t.same(names.toSorted(), [...foreignEntries, `named~${DIGEST}~${BUILD}`, 'notes.txt'].toSorted());
  await following.publish('first', 'second', 'third');
  await following.clock.advance(FORMER_MS + POLL_MS);
  const left = (await readdir(copies)).filter((name) => !/^~(?:contact|history)/.test(name));
  t.same(
    left.toSorted(),
    [...names, ...['second', 'third'].map((id) => basename(copyFolder(copies, id)))].toSorted(),
    'copies of its own are removed, and nothing else',
  );
  for (const name of foreignEntries) {
    t.equal(await readFile(join(copies, name, 'data.mdb'), 'utf8'), 'somebody else’s');
  }
  t.equal(following.count('foreign_entries'), 1);
});

void t.test('an import whose name a stranger has fails, and removes nothing', async (t) => {
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
  const { sha256 } = await activePointer(root);
  const path = join(root, 'local', 'demo', `first~${sha256}~${BUILD}`);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'data.mdb'), 'somebody else’s');
  const following = await startFollowing(t, { root });
  const { code, message } = await following.next('failed');
  t.equal(code, 'import_failed');
  t.match(message, `${path} was not made by this service`);
  t.equal(await readFile(join(path, 'data.mdb'), 'utf8'), 'somebody else’s');
  await following.clock.idle();
  t.same(await readdir(path), ['data.mdb']);

  await rm(path, { recursive: true });
  await following.clock.advance(POLL_MS);
  t.match(await following.next('activated'), { snapshotId: 'first' });
});

void t.test('a copy that another program has removed is served on, and made again', async (t) => {
  const following = await startFollowing(t);
  const { copies, clock, follower } = following;
  await following.publish('first');
  const folder = copyFolder(copies, 'first');
  const file = join(folder, 'data.mdb');
  const losses: readonly (() => Promise<void>)[] = [
    () => rm(file),
    () => rm(folder, { recursive: true }),
    () => rm(copies, { recursive: true }).then(() => mkdir(copies)),
    () => copyFile(file, `${file}.new`).then(() => rename(`${file}.new`, file)),
  ];
  const unavailable = following.count('unavailable');
  for (const [at, lose] of losses.entries()) {
    const what = `loss ${at}`;
    await clock.idle();
    await lose();
    follower.reverify();
    t.match(await following.next('failed'), { code: 'copy_damaged', message: /removed/ }, what);
    t.match(await following.next('activated'), { snapshotId: 'first' }, what);
    t.ok((await readdir(folder)).includes('data.mdb'), what);
  }
  t.equal(following.count('unavailable'), unavailable);
  t.equal(following.count('importing'), losses.length, 'the last one was verified');
  t.ok((await readdir(copies)).includes('~contact.json'));
});
