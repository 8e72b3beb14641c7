/** The demonstration with a store from which it was removed. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { publishDemonstration } from '../../src/commands/service/demonstration.js';
import { parseSettings } from '../../src/settings.js';
import { openWritable } from '../support/stores/open-writable.js';

void t.test('one that was removed is not published again, and is no failure', async (t) => {
  const root = t.testdir();
  const address = `file:${root}/store`;
  const environment = { SNAPSHOT_STORE: address, KEY_PREFIX: 'sepa', LOCAL_DIR: `${root}/local` };
  const settings = parseSettings({ environment, flags: {} });
  const folder = 'test/fixtures/serbia';
  t.equal(await publishDemonstration(settings, folder), true);
  t.equal(await publishDemonstration(settings, folder), true, 'it is there');
  const pointer = join(root, 'store/sepa/active.json');
  await rm(pointer);
  const store = openWritable(t, address);
  const [snapshot] = await store.list();
  await store.remove(snapshot?.snapshotId ?? '');
  t.equal(await publishDemonstration(settings, folder), false, 'it was removed');
  t.strictSame(await store.list(), []);
  t.strictSame(await store.readPointer(), { kind: 'absent' });
});
