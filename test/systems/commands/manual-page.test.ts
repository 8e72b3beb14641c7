/** The manual page as another program reads it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { SETTING_FLAGS } from '../../../src/settings.js';

const execute = promisify(execFile);
const PAGE = 'man/bura.1';

void t.test('is read without a warning, and has every command and setting', async (t) => {
  const lint = await execute('mandoc', ['-T', 'lint', '-W', 'warning', PAGE]).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
  // A page of a version that is not released has no date.
  const warnings = lint.split('\n').filter((line) => line !== '' && !/missing date/.test(line));
  t.same(warnings, []);
  const { stdout: text } = await execute('mandoc', ['-T', 'ascii', '-O', 'width=200', PAGE]);
  const shown = text.replace(/.\u0008/g, '');
  for (const { flag, variable } of SETTING_FLAGS)
    t.match(shown, new RegExp(`${flag} \\w+, ${variable}\n`));
  for (const name of ['serve', 'health', 'status', 'publish', 'prune']) {
    t.match(shown, new RegExp(`^ {3}bura ${name}`, 'm'));
  }
});
