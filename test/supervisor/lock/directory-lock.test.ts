/** One instance a directory, however long its path is and however its last owner ended. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { askInstance } from '../../../src/supervisor/lock/ask-instance.js';
import { lockDirectory } from '../../../src/supervisor/lock/directory-lock.js';
import { scaled } from '../../support/faults/chance.js';
import { makeRoot } from '../../support/service/service.js';

const MODULE = pathToFileURL(resolve('build/src/supervisor/lock/directory-lock.js')).href;

const LONG_MS = 30_000;

const IN_USE = ' is in use by another instance';

const ROUNDS = 8;
const STARTERS = 4;

/**
 * A process that locks each directory of which it reads a line, and says whether it has it: `locked`, or why not. It
 * keeps its locks until it is killed.
 */
async function startStarter(t: Test): Promise<ChildProcessWithoutNullStreams> {
  const script = `
    const { createInterface } = await import('node:readline');
    const { lockDirectory } = await import(${JSON.stringify(MODULE)});
    console.log('ready');
    createInterface({ input: process.stdin }).on('line', (directory) => {
      lockDirectory(directory).then(
        () => console.log('locked'),
        (error) => console.log(error.message),
      );
    });`;
  const words = ['-u', 'NODE_OPTIONS', process.execPath, '--input-type=module', '-e', script];
  const starter = spawn('/usr/bin/env', words);
  t.teardown(() => starter.kill('SIGKILL'));
  await said(starter);
  return starter;
}

async function said(process: ChildProcessWithoutNullStreams): Promise<string> {
  const [text] = (await once(process.stdout, 'data')) as [Buffer];
  return text.toString().trim();
}

void t.test('of many that start at once on a stale lock, one has it', async (t) => {
  const starters = await Promise.all(Array.from({ length: STARTERS }, () => startStarter(t)));
  for (let round = 0; round < scaled(ROUNDS); round += 1) {
    const directory = await makeRoot(t);
    // What a killed process leaves.
    await leaveSocket(join(directory, '~lock-0123abcd'));
    const answers = starters.map(said);
    for (const starter of starters) starter.stdin.write(`${directory}\n`);
    const counts = await Promise.all(answers);
    t.equal(counts.filter((answer) => answer === 'locked').length, 1, counts.join(', '));
    t.ok(counts.every((answer) => answer === 'locked' || answer.endsWith(IN_USE)));
    t.equal((await readdir(directory)).filter((name) => name.startsWith('~lock')).length, 1);
  }
});

void t.test('beside the instance that has it, one process at a time has it too', async (t) => {
  const directory = await makeRoot(t);
  const first = await lockDirectory(directory);
  t.notOk(await first.isAwaited());
  const second = await lockDirectory(directory, { beside: true });
  t.ok((await first.isAwaited()) && (await second.hasPredecessor()));
  await t.rejects(lockDirectory(directory, { beside: true }), /another one is taking over, or /);
  await t.rejects(lockDirectory(directory), /in use/);
  const starter = createServer().listen(join(directory, '~lock-89abcdef'));
  await once(starter, 'listening');
  await first.release();
  t.notOk(await second.hasPredecessor(), 'whoever else is started is not waited for');
  t.ok(await second.isAwaited());
  starter.close();
  await once(starter, 'close');
  await t.rejects(lockDirectory(directory), /in use/);
  await second.release();
  const alone = await lockDirectory(directory, { beside: true });
  t.notOk(await alone.hasPredecessor(), 'without an instance it is an ordinary lock');
  await alone.release();
});

void t.test('whoever removes the sockets gives the directory to nobody', async (t) => {
  const directory = await makeRoot(t);
  const lock = await lockDirectory(directory);
  await lock.serve((_request, response) => response.end('here'));
  await removeSockets(directory);
  await t.rejects(lockDirectory(directory), /in use by another instance$/);
  await t.rejects(lockDirectory(directory, { beside: true }), /sockets were removed/);
  t.equal(await lock.restore(), 'sockets');
  t.equal(await lock.restore(), undefined);
  const beside = await lockDirectory(directory, { beside: true });
  t.ok((await beside.hasPredecessor()) && (await lock.isAwaited()));
  t.ok(await lock.isOwn());
  const reply = { kind: 'reply', body: 'here' };
  t.same(await askInstance(directory, '/', LONG_MS), reply);
  await rm(join(directory, '~admin.sock'));
  t.equal(await lock.restore(), 'sockets');
  t.same(await askInstance(directory, '/', LONG_MS), reply);
  await removeSockets(directory);
  await lock.release();
  await beside.serve((_request, response) => response.end('there'));
  t.equal(await beside.restore(), 'sockets');
  await t.rejects(lockDirectory(directory), /in use/);
  await beside.release();
  await (await lockDirectory(directory)).release();
});

void t.test('a directory that is lost is made again, unless another has it', async (t) => {
  const root = await makeRoot(t);
  for (const name of ['short', 'long'.repeat(30)]) {
    const directory = join(root, name, 'demo');
    const lock = await lockDirectory(directory);
    await lock.serve((_request, response) => response.end('here'));
    const losses: readonly (() => Promise<void>)[] = [
      () => rm(join(root, name), { recursive: true }),
      () => rename(directory, `${directory}.away`),
      () => rename(directory, `${directory}.old`).then(() => mkdir(directory)),
    ];
    for (const lose of losses) {
      await lose();
      t.notOk(await lock.isOwn());
      t.equal(await lock.restore(), 'directory');
      t.ok(await lock.isOwn());
      t.same(await askInstance(directory, '/', LONG_MS), { kind: 'reply', body: 'here' });
      await t.rejects(lockDirectory(directory), /in use/);
    }
    await rename(directory, `${directory}.last`);
    await writeFile(directory, '');
    await t.rejects(lock.restore(), { code: 'EEXIST' });
    t.notOk((await lock.isOwn()) || (await lock.isAwaited()));
    await rm(directory);
    const other = await lockDirectory(directory);
    await t.rejects(lock.restore(), /in use by another instance$/);
    t.notOk(await lock.isOwn());
    const entries = await readdir(directory);
    t.equal(entries.filter((entry) => entry.startsWith('~lock')).length, 1);
    await other.release();
    t.equal(await lock.restore(), 'directory');
    await lock.release();
    await (await lockDirectory(directory)).release();
  }
});

async function removeSockets(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => /^~(?:lock|admin)/.test(name));
  for (const name of names) await rm(join(directory, name));
}

void t.test('whatever is no socket is left alone', async (t) => {
  const directory = await makeRoot(t);
  await writeFile(join(directory, '~lock-0123abcd'), 'of somebody');
  const lock = await lockDirectory(directory);
  await lock.release();
  t.same((await readdir(directory)).toSorted(), ['store', '~admin.sock', '~lock-0123abcd']);
});

/** The socket file of a process that was killed. */
async function leaveSocket(path: string): Promise<void> {
  const server = createServer().listen(`${path}.new`);
  await once(server, 'listening');
  // Under another name it is not removed when it is closed.
  await rename(`${path}.new`, path);
  server.close();
  await once(server, 'close');
}

void t.test('a killed process has no lock any more', async (t) => {
  const directory = await makeRoot(t);
  const owner = await startStarter(t);
  const answer = said(owner);
  owner.stdin.write(`${directory}\n`);
  t.equal(await answer, 'locked');
  await t.rejects(lockDirectory(directory), /in use/);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  const lock = await lockDirectory(directory);
  await lock.release();
});
