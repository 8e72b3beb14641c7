/** Readers of one copy: as many threads and processes as settings allow, and the error for one more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import t from 'tap';
import { CheckedTable } from '../../../src/snapshot/local/checked-table.js';
import {
  ReadableEnvironment,
  WritableEnvironment,
} from '../../../src/snapshot/local/environment.js';

/** Bytes of LMDB's lock file for one reader. */
const SLOT_BYTES = 64;

/** Opens a copy with a place for one reader, and takes it until stdin ends. */
const ONE_READER = `
  import { open } from 'lmdb';
  const root = open({ path: process.argv[1], readOnly: true, maxDbs: 6, maxReaders: 1, noSubdir: false });
  root.openDB({ name: 'records', encoding: 'binary' }).getBinary('header');
  console.log('reading');
  process.stdin.resume();
`;

void t.test('a copy has room for the threads of 64 fronts with 63 workers each', async (t) => {
  const directory = t.testdir();
  const writable = new WritableEnvironment(directory);
  writable.tables.records.put('header', Buffer.from('x'));
  await writable.close();
  const environment = new ReadableEnvironment(directory);
  t.ok(environment.tables.records.get('header'));
  t.ok((await stat(join(directory, 'lock.mdb'))).size >= 64 * 64 * SLOT_BYTES);
  await environment.close();
});

void t.test('one reader too many is no damage', async (t) => {
  const directory = t.testdir();
  const root = open({ path: directory, maxDbs: 6, maxReaders: 1, noSubdir: false });
  for (const name of ['answers', 'answers.gzip', 'series', 'records', 'segments']) {
    root.openDB({ name, encoding: 'binary' });
  }
  await root.flushed;
  await root.close();
  const child = spawn(process.execPath, ['--input-type=module', '-e', ONE_READER, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  t.throws(() => new ReadableEnvironment(directory), {
    code: 'copy_unreadable',
    message: /too many threads/,
  });
  child.stdin.end();
  await once(child, 'exit');
  await new ReadableEnvironment(directory).close();

  const full = (): never => {
    throw Object.assign(new Error('MDB_READERS_FULL'), { code: -30_790 });
  };
  const table = new CheckedTable<string>('records', {
    putSync: full,
    getBinary: full,
    getBinaryFast: full,
  });
  for (const read of ['get', 'view'] as const) {
    t.throws(() => table[read]('header'), { code: 'copy_unreadable', message: /too many threads/ });
  }
});
