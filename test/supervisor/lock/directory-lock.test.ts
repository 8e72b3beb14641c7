/** One instance a directory, however long its path is and however its last owner ended. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { askInstance } from '../../../src/supervisor/lock/ask-instance.js';
import { DirectoryLock } from '../../../src/supervisor/lock/directory-lock.js';
import { scaled } from '../../support/faults/chance.js';
import { makeRoot } from '../../support/service/service.js';

const MODULE = pathToFileURL(resolve('build/src/supervisor/lock/directory-lock.js')).href;

const LONG_MS = 30_000;

const IN_USE = ' is in use by another instance';

/**
 * A process that locks each directory of its input lines and reports `locked`, or the reason; it keeps its locks until
 * it is killed.
 */
async function startStarter(
  t: Test,
  env: Readonly<Record<string, string>> = {},
): Promise<ChildProcessWithoutNullStreams> {
  const script = `
    const { createInterface } = await import('node:readline');
    const { DirectoryLock } = await import(${JSON.stringify(MODULE)});
    console.log('ready');
    createInterface({ input: process.stdin }).on('line', (directory) => {
      DirectoryLock.take(directory).then(
        () => console.log('locked'),
        (error) => console.log(error.message),
      );
    });`;
  const words = ['-u', 'NODE_OPTIONS', process.execPath, '--input-type=module', '-e', script];
  const starter = spawn('/usr/bin/env', words, { env: { ...process.env, ...env } });
  t.teardown(() => starter.kill('SIGKILL'));
  await said(starter);
  return starter;
}

async function said(process: ChildProcessWithoutNullStreams): Promise<string> {
  const [text] = (await once(process.stdout, 'data')) as [Buffer];
  return text.toString().trim();
}

async function ask(starter: ChildProcessWithoutNullStreams, directory: string): Promise<string> {
  const answer = said(starter);
  starter.stdin.write(`${directory}\n`);
  return await answer;
}

void t.test('one of many that start at once has the lock', async (t) => {
  const starters = await Promise.all(Array.from({ length: 4 }, () => startStarter(t)));
  for (let round = 0; round < scaled(8); round += 1) {
    const directory = await makeRoot(t);
    const answers = await Promise.all(starters.map((starter) => ask(starter, directory)));
    t.equal(answers.filter((answer) => answer === 'locked').length, 1, answers.join(', '));
    t.ok(answers.every((answer) => answer === 'locked' || answer.endsWith(IN_USE)));
  }
});

void t.test('the lock is free when its process is gone, not while it is stopped', async (t) => {
  const directory = await makeRoot(t);
  const owner = await startStarter(t);
  t.equal(await ask(owner, directory), 'locked');
  owner.kill('SIGSTOP');
  await t.rejects(DirectoryLock.take(directory), /in use by another instance$/);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  const names = ['~admin.sock', '~lock'];
  t.same((await readdir(directory)).filter((name) => name.startsWith('~')).toSorted(), names);
  // Hours later.
  const old = new Date(Date.now() - 36e5 * 5);
  for (const name of names) await utimes(join(directory, name), old, old);
  (await DirectoryLock.take(directory)).release();
});

void t.test('whoever removes the sockets gives the directory to nobody', async (t) => {
  const directory = join(await makeRoot(t), 'local');
  const lock = await DirectoryLock.take(directory);
  t.equal((await stat(join(directory, '~lock'))).mode & 0o777, 0o600, 'no other user can open it');
  await rm(join(directory, '~admin.sock'));
  await t.rejects(DirectoryLock.take(directory), /in use by another instance$/);
  lock.release();
});

void t.test('says whether the directory is in its place', async (t) => {
  const root = await makeRoot(t);
  for (const name of ['short', 'long'.repeat(30)]) {
    const directory = join(root, name, 'demo');
    const losses: readonly (() => Promise<void>)[] = [
      () => rm(join(root, name), { recursive: true }),
      () => rename(directory, `${directory}.away`),
      () => rename(directory, `${directory}.old`).then(() => mkdir(directory)),
      () => rename(directory, `${directory}.last`).then(() => writeFile(directory, '')),
    ];
    for (const lose of losses) {
      const lock = await DirectoryLock.take(directory);
      lock.serve((_request, response) => response.end('here'));
      t.same(await askInstance(directory, '/', LONG_MS), { kind: 'reply', body: 'here' });
      t.ok(await lock.isInPlace());
      await lose();
      t.notOk(await lock.isInPlace());
      lock.release();
    }
  }
});

void t.test('says in one line what is missing', async (t) => {
  const directory = await makeRoot(t);
  const starter = await startStarter(t, { PATH: '/nowhere' });
  t.equal(
    await ask(starter, directory),
    'LOCAL_DIR cannot be locked by the program flock (util-linux): it is not installed',
  );
  await writeFile(join(directory, '~lock'), '');
  await chmod(join(directory, '~lock'), 0o400);
  if (process.getuid?.() !== 0) await t.rejects(DirectoryLock.take(directory), { code: 'EACCES' });
});
