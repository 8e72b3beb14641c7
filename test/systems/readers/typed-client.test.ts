/** A client with types made from `/openapi.json`, as `docs/http-api/requests.md, "Typed clients"` shows it: compiled strictly, and run. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { startDemonstration } from '../../support/service/serve-documents.js';
import { ran } from '../support/ran.js';

const GENERATOR = resolve('node_modules/openapi-typescript/bin/cli.js');
const COMPILER = resolve('node_modules/typescript/bin/tsc');

/** Where the page's service is. */
const ADDRESS = 'http://localhost:8080';

/**
 * Mistakes that must not compile: each line after a directive, which is an error itself when the line has no mistake.
 */
const MISTAKES = `
import createClient from 'openapi-fetch';
import type { paths } from './bura.js';

const client = createClient<paths>({ baseUrl: '${ADDRESS}' });
const series = { organization_id: 1, station_id: 1, component_id: 1 };

// @ts-expect-error No such path.
await client.GET('/api/v2/stations');
// @ts-expect-error Reading is all there is.
await client.POST('/api/v1/stations');
// @ts-expect-error Parameters are required.
await client.GET('/measurements');
// @ts-expect-error A window is missing.
await client.GET('/measurements', { params: { query: series } });
// @ts-expect-error No such window.
await client.GET('/measurements', { params: { query: { ...series, window: '2d' } } });
const { data } = await client.GET('/api/v1/observations');
// @ts-expect-error There may be no answer.
data.data;
// @ts-expect-error There may be no record.
data?.data[0].unit;
// @ts-expect-error There may be no value.
data?.data[0]?.value.toFixed(1);
// @ts-expect-error No record has such a field.
data?.data[0]?.qa_flag;
`;

const SETTINGS = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    // The declarations that come with the compiler need no check of ours; it takes seconds.
    skipDefaultLibCheck: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom'],
    types: [],
  },
  files: ['client.ts', 'mistakes.ts'],
};

/** The program on the page. */
async function program(): Promise<string> {
  const page = await readFile('docs/http-api/requests.md', 'utf8');
  const [, section = ''] = page.split('## Typed clients\n');
  return /^```ts\n(.*?)^```$/ms.exec(section)?.[1] ?? '';
}

void t.test('compiles strictly, refuses mistakes, and prints what is served', async (t) => {
  const { url } = await startDemonstration(t);
  const client = await program();
  t.match(client, ADDRESS);
  const folder = t.testdir({
    'client.ts': client.replaceAll(ADDRESS, url),
    'mistakes.ts': MISTAKES,
    'tsconfig.json': JSON.stringify(SETTINGS),
  });
  const run = (...words: readonly string[]) => ran([process.execPath, ...words], undefined, folder);
  await run(GENERATOR, `${url}/openapi.json`, '--output', 'bura.d.ts');
  t.match(await run(COMPILER, '--project', folder), { code: 0, stdout: /^$/ });
  const { stdout } = await run(join(folder, 'client.js'));
  const answer = await fetch(`${url}/api/v1/observations?from=2026-02-08T23:00:00Z`);
  t.equal(stdout.trimEnd().split('\n').length, Number(answer.headers.get('x-record-count')));
  t.match(stdout, /^\d+ NO2 [\d.]+ ug\/m3$/m);
});
