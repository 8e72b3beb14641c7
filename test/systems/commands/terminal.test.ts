/** Commands on a terminal (by `script`): bars, tables, colours. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { generateDocument, writeDocument } from '../../support/documents/documents.js';
import { COMMAND } from '../../support/service/command.js';

const execute = promisify(execFile);

type Environment = Readonly<Record<string, string>>;

/** The screen of a terminal while a line of the shell runs in it. */
async function onTerminal(line: string, env: Environment): Promise<string> {
  const words = ['--quiet', '--return', '--command', line, '/dev/null'];
  const environment = { PATH: process.env['PATH'], TERM: 'xterm-256color', ...env };
  return (await execute('script', words, { env: environment })).stdout;
}

void t.test('a publish shows a bar, and a list is a table', async (t) => {
  const folder = t.testdir();
  const env = { SNAPSHOT_STORE: `file:${folder}/store` };
  const file = join(folder, 'large.json');
  await writeDocument(file, generateDocument({ hours: 200, snapshotId: 'large' }));
  const bura = (...parameters: string[]) =>
    onTerminal(
      [process.execPath, COMMAND, ...parameters].map((word) => `'${word}'`).join(' '),
      env,
    );
  const published = await bura('publish', file);
  for (const step of ['checking', 'storing']) {
    t.match(published, new RegExp(`${step} +[█░]+ +100 %`), step);
  }
  t.match(published, 'now active');
  const table = await bura('list');
  t.match(table, /SNAPSHOT +SIZE +STORED/);
  t.match(table, /\* {2}large +[\d.]+ MB +\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
});
