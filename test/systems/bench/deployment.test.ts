/** `npm run bench -- --url`, as a command against a running service, and against what is none. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { BenchResult } from '../../../bench/report.js';
import { generateDocument } from '../../support/documents/documents.js';
import { startServing } from '../../support/service/serve-documents.js';

const BENCH = fileURLToPath(new URL('../../../bench/run.js', import.meta.url));

function bench(
  ...flags: readonly string[]
): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [BENCH, ...flags], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), out: stdout + stderr });
    });
  });
}

void t.test('asks a deployment, and says what it cannot see', async (t) => {
  const document = generateDocument({ stations: 3, components: 2, hours: 48 });
  const { url } = await startServing(t, document);
  const file = join(t.testdir(), 'result.json');
  const { code, out } = await bench(
    '--url',
    url,
    '--suite',
    'fresh',
    'streams',
    'mixed',
    '--out',
    file,
    '--seconds',
    '0.2',
    '--rounds',
    '1',
    '--rate',
    '100',
    '--connections',
    '4',
  );
  t.equal(code, 0, out);
  const { suites } = JSON.parse(await readFile(file, 'utf8')) as BenchResult;
  t.strictSame(
    suites.map(({ suite }) => suite),
    ['fresh', 'streams', 'mixed'],
  );
  for (const { suite, tables, criteria, notes } of suites) {
    t.same(criteria, [], 'a deployment has no targets');
    t.match(notes.join(' '), 'cannot be measured from here');
    const failed = tables.flatMap(({ columns, rows }) =>
      rows.map((row) => row[columns.indexOf('failed')]),
    );
    t.ok(failed.length > 0);
    t.same(new Set(failed), new Set(['0']), suite);
  }
  const [alone, hot] = suites[2]?.tables[0]?.rows ?? [];
  for (const row of [alone, hot]) t.ok(Number(row?.[2]) > 0, `answers: ${row?.join(', ')}`);
});

void t.test('ends with the reason where nobody answers, or no Bura does', async (t) => {
  const other = createServer((_request, response) => response.end('{}'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const wrong = await bench('--url', url);
  t.equal(wrong.code, 1);
  t.match(wrong.out, `what answers at ${url} is no Bura that serves a snapshot`);
  other.closeAllConnections();
  other.close();
  await once(other, 'close');
  const gone = await bench('--url', url);
  t.equal(gone.code, 1);
  t.match(gone.out, `${url} does not answer`);
  const here = await bench('--url', url, '--suite', 'import');
  t.equal(here.code, 1);
  t.match(here.out, 'with --url: endpoints, filters, fresh, streams, mixed');
});
