/** One instance a directory, however long its path is and however its last owner ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { join, resolve } from 'node:path';
import t from 'tap';
import { lockDirectory } from '../../../src/snapshot/local/directory-lock.js';
import { makeRoot } from '../../support/service/service.js';

const MODULE = pathToFileURL(resolve('build/src/snapshot/local/directory-lock.js')).href;

void t.test('a directory is taken once, and again when it was released', async (t) => {
  for (const name of ['short', 'long'.repeat(30)]) {
    const directory = join(await makeRoot(t), name, 'demo');
    const lock = await lockDirectory(directory);
    await t.rejects(lockDirectory(directory), {
      message: `${directory} is in use by another instance`,
    });
    await lock.release();
    const again = await lockDirectory(directory);
    await again.release();
  }
});

void t.test('a killed process has no lock any more', async (t) => {
  const directory = await makeRoot(t);
  const script = `
    const { lockDirectory } = await import(${JSON.stringify(MODULE)});
    await lockDirectory(${JSON.stringify(directory)});
    console.log('locked');
    setInterval(() => undefined, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(owner.stdout, 'data');
  await t.rejects(lockDirectory(directory), /in use/);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  const lock = await lockDirectory(directory);
  await lock.release();
});

void t.test('a path that is no directory is refused in the words of the system', async (t) => {
  await t.rejects(lockDirectory('/dev/null/demo'), { code: 'ENOTDIR' });
});
