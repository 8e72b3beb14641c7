/** What is removed from the directory of local copies: what carries the service's mark, and nothing else. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { BUILD, POLL_MS, startFollowing } from '../../support/service/following.js';
import { forkWithoutHooks } from '../../support/service/plain-node.js';
import { makeRoot, publish } from '../../support/service/service.js';

await forkWithoutHooks(await makeRoot(t));

void t.test('removes nothing that is not its own, and names it once', async (t) => {
  const root = await makeRoot(t);
  const copies = join(root, 'local', 'demo');
  // By their names copies or leftovers of them, of which they lack the mark.
  const foreignEntries = ['backup', `old~${BUILD}`, '~12-import', '~x', '20260101T000000Z'];
  for (const name of foreignEntries) {
    await mkdir(join(copies, name), { recursive: true });
    await writeFile(join(copies, name, 'data.mdb'), 'somebody else’s');
  }
  await writeFile(join(copies, `named~${BUILD}`), 'a file');
  await writeFile(join(copies, 'notes.txt'), 'kept');
  // What is left where an import or a removal is killed beside the mark.
  for (const name of ['~13-empty', `removed~${BUILD}`]) await mkdir(join(copies, name));

  const following = await startFollowing(t, { root });
  const { names } = await following.next('foreign_entries');
  t.same(names.toSorted(), [...foreignEntries, `named~${BUILD}`, 'notes.txt'].toSorted());
  for (const snapshotId of ['first', 'second', 'third']) {
    await publish(following, snapshotDocument({ snapshot_id: snapshotId }));
    await following.next('activated');
  }
  await following.clock.idle();
  following.follower.poll();
  await following.clock.advance(POLL_MS);
  const left = (await readdir(copies)).filter((name) => !/^~(?:contact|history)/.test(name));
  t.same(
    left.toSorted(),
    [...names, `second~${BUILD}`, `third~${BUILD}`].toSorted(),
    'copies of its own are removed, and nothing else',
  );
  for (const name of foreignEntries) {
    t.equal(await readFile(join(copies, name, 'data.mdb'), 'utf8'), 'somebody else’s');
  }
  t.equal(following.count('foreign_entries'), 1);
});

void t.test('an import whose name a stranger has fails, and removes nothing', async (t) => {
  const root = await makeRoot(t);
  const path = join(root, 'local', 'demo', `first~${BUILD}`);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'data.mdb'), 'somebody else’s');
  const following = await startFollowing(t, { root });
  await publish(following, snapshotDocument({ snapshot_id: 'first' }));
  const { code, message } = await following.next('failed');
  t.equal(code, 'import_failed');
  t.match(message, `${path} is in the way: it was not made by this service`);
  t.equal(await readFile(join(path, 'data.mdb'), 'utf8'), 'somebody else’s');
  await following.clock.idle();
  t.same(await readdir(path), ['data.mdb']);

  await rm(path, { recursive: true });
  await following.clock.advance(POLL_MS);
  t.match(await following.next('activated'), { snapshotId: 'first' });
});
