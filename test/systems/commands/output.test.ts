/** Commands on a terminal (by `script`): bars, tables, colours. The manual page as another program reads it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { generateDocument, writeDocument } from '../../support/documents/documents.js';
import { COMMAND } from '../../support/service/command.js';
import { SETTING_FLAGS } from '../../../src/settings.js';

const execute = promisify(execFile);

void t.test('a publish shows a bar, and a list is a table', async (t) => {
  const folder = t.testdir();
  const store = { SNAPSHOT_STORE: `file:${folder}/store` };
  const env = { PATH: process.env['PATH'], TERM: 'xterm-256color', ...store };
  const file = join(folder, 'large.json');
  await writeDocument(file, generateDocument({ hours: 200, snapshotId: 'large' }));
  /** The screen of a terminal while the command runs in it. */
  const bura = async (...parameters: string[]): Promise<string> => {
    const line = [process.execPath, COMMAND, ...parameters].map((word) => `'${word}'`).join(' ');
    const words = ['--quiet', '--return', '--command', line, '/dev/null'];
    return (await execute('script', words, { env })).stdout;
  };
  const published = await bura('publish', file);
  for (const step of ['checking', 'storing']) {
    t.match(published, new RegExp(`${step} +[█░]+ +100 %`), step);
  }
  t.match(published, 'now active');
  const table = await bura('list');
  t.match(table, /SNAPSHOT +SIZE +STORED/);
  t.match(table, /\* {2}large +[\d.]+ MB +\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
});

const PAGE = 'man/bura.1';

void t.test('the manual page has no warning, and every command and setting', async (t) => {
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
