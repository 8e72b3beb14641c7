/** A client with types made from `/openapi.json`, as `docs/http-api/requests.md, "Typed clients"` shows it: compiled strictly, and run. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { startDemonstration } from '../../support/service/serve-documents.js';
import { ran } from '../support/programs.js';

const GENERATOR = resolve('node_modules/openapi-typescript/bin/cli.js');
const COMPILER = resolve('node_modules/typescript/bin/tsc');

/** Where the page's service is. */
const ADDRESS = 'http://localhost:8080';

/** Its mistakes must not compile: a directive before a line without a mistake is an error itself. */
const FIXTURES = 'test/fixtures/typed-client';

void t.test('compiles strictly, refuses mistakes, and prints what is served', async (t) => {
  const { url } = await startDemonstration(t);
  const page = await readFile('docs/http-api/requests.md', 'utf8');
  const [, section = ''] = page.split('## Typed clients\n');
  const client = /^```ts\n(.*?)^```$/ms.exec(section)?.[1] ?? '';
  t.match(client, ADDRESS);
  const folder = t.testdir({
    'client.ts': client.replaceAll(ADDRESS, url),
    'mistakes.ts': await readFile(`${FIXTURES}/mistakes.txt`, 'utf8'),
    'tsconfig.json': await readFile(`${FIXTURES}/tsconfig.txt`, 'utf8'),
  });
  const run = (...words: readonly string[]) => ran([process.execPath, ...words], undefined, folder);
  await run(GENERATOR, `${url}/openapi.json`, '--output', 'bura.d.ts');
  t.match(await run(COMPILER, '--project', folder), { code: 0, stdout: /^$/ });
  const { stdout } = await run(join(folder, 'client.js'));
  const answer = await fetch(`${url}/api/v1/observations?from=2026-02-08T23:00:00Z`);
  t.equal(stdout.trimEnd().split('\n').length, Number(answer.headers.get('x-record-count')));
  t.match(stdout, /^\d+ NO2 [\d.]+ ug\/m3$/m);
});
