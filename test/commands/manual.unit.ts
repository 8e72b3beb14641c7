/** The manual page is up to date. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

const execute = promisify(execFile);
const PAGE = 'man/bura.1';

void t.test('is what the command itself says now: npm run manual', async (t) => {
  const file = join(t.testdir(), 'bura.1');
  await execute(process.execPath, ['tools/write-manual.mjs', 'build/src', file]);
  t.equal(await readFile(PAGE, 'utf8'), await readFile(file, 'utf8'));
});
