/** A client with types made from `/openapi.json`, as `docs/http-api/requests.md, "Typed clients"` shows it: compiled strictly, and run. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { startDemonstration } from '../../support/service/serve-documents.js';

const execute = promisify(execFile);

const GENERATOR = resolve('node_modules/openapi-typescript/bin/cli.js');
const COMPILER = resolve('node_modules/typescript/bin/tsc');

/** Where the page's service is. */
const ADDRESS = 'http://localhost:8080';

/** What must not compile: each line after a directive, which is an error itself where the line has none. */
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

/** Goes on where the page's program ends: a condition, and an answer that is an error. */
const MORE = `
const later = await client.GET('/api/v1/observations', {
  params: { query, header: { 'If-None-Match': response.headers.get('ETag') ?? '' } },
});
console.log(later.response.status === 304 ? 'unchanged' : 'changed');

const path = { organization_id: 1, station_id: 404 };
const station = await client.GET('/{organization_id}/stations/{station_id}/meta', {
  params: { path },
});
console.log(station.error === undefined ? station.data.station_name : station.error.detail);
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

interface Observation {
  readonly station_id: string;
  readonly parameter_code: string;
  readonly value: number | null;
  readonly unit: string;
}

void t.test('compiles strictly, and its calls are answered as their types say', async (t) => {
  const { url } = await startDemonstration(t);
  const client = await program();
  t.match(client, ADDRESS);
  const folder = t.testdir({
    'client.ts': `${client.replaceAll(ADDRESS, url)}${MORE}`,
    'mistakes.ts': MISTAKES,
    'tsconfig.json': JSON.stringify(SETTINGS),
  });
  const run = (script: string, ...parameters: string[]) =>
    execute(process.execPath, [script, ...parameters], { cwd: folder });
  await run(GENERATOR, `${url}/openapi.json`, '--output', 'bura.d.ts');
  const compiled = await run(COMPILER, '--project', folder).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
  t.equal(compiled, '');

  const { stdout } = await run(join(folder, 'client.js'));
  const answer = await fetch(`${url}/api/v1/observations?from=2026-02-08T23:00:00Z`);
  const { data } = (await answer.json()) as { readonly data: readonly Observation[] };
  t.ok(data.length > 100);
  t.strictSame(stdout.trimEnd().split('\n'), [
    ...data.map(({ station_id, parameter_code, value, unit }) =>
      [station_id, parameter_code, ...(value === null ? ['unavailable'] : [value, unit])].join(' '),
    ),
    'unchanged',
    'No public data found for the requested resource.',
  ]);
});
