/** What commands print on a terminal, which is one of util-linux's `script`. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import {
  generateDocument,
  snapshotDocument,
  writeDocument,
} from '../../support/documents/documents.js';
import { COMMAND } from '../../support/service/command.js';
import { startServing } from '../../support/service/serve-documents.js';

type Environment = Readonly<Record<string, string>>;

/** Runs a line of a shell on a terminal; answers all that it has shown. */
async function onTerminal(line: string, env: Environment): Promise<string> {
  const words = ['--quiet', '--return', '--command', line, '/dev/null'];
  const environment = { ...env, PATH: process.env['PATH'] };
  return (await promisify(execFile)('script', words, { env: environment })).stdout;
}

const lineOf = (...words: readonly string[]): string =>
  [process.execPath, COMMAND, ...words].map((word) => `'${word}'`).join(' ');

void t.test('publishing shows a bar, and a list is a table', async (t) => {
  const folder = t.testdir();
  const env = { SNAPSHOT_STORE: `file:${folder}/store` };
  const file = join(folder, 'large.json');
  await writeDocument(file, generateDocument({ hours: 200, snapshotId: 'large' }));
  const published = await onTerminal(lineOf('publish', file), env);
  for (const step of ['checking', 'compressing', 'storing']) {
    t.match(published, new RegExp(`${step} +[█░]+ +100 %`), step);
  }
  t.match(published, 'now active');
  const table = await onTerminal(lineOf('list'), env);
  t.match(table, /SNAPSHOT +SIZE +STORED/);
  t.match(table, /\* {2}large +[\d.]+ MB +\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
});

void t.test('the status has colours, unless NO_COLOR is set, and keeps to the width', async (t) => {
  const service = await startServing(t, snapshotDocument(), { env: { FRONT_PROCESSES: '2' } });
  const env = { LOCAL_DIR: join(service.root, 'local'), TERM: 'xterm-256color' };
  const line = `stty cols 60; ${lineOf('status')}`;
  const terminal = await onTerminal(line, env);
  t.match(terminal, '\u001b[32m', 'colours');
  const lines = terminal
    .replace(/\u001b\[\d+m|\r/g, '')
    .trimEnd()
    .split('\n');
  t.ok(lines.length <= 24 && lines.every((one) => one.length <= 60), terminal);
  t.notMatch(await onTerminal(line, { ...env, NO_COLOR: '1' }), '\u001b');
});
