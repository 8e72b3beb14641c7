/** The OpenAPI document against the service that it describes. */
import t, { type Test } from 'tap';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { documentProblem, OpenApi, type Operation } from './openapi-reader.js';
import {
  get,
  getJson,
  type Received,
  type RequestOptions,
} from '../../support/service/requests.js';
import { publishAndServe, startDemonstration } from '../../support/service/serve-documents.js';
import { eventually, startService } from '../../support/service/service.js';
import { storeArchive } from '../../support/stores/stored-archive.js';

/** Enough that the queue of one worker thread is full. */
const CROWD = 320;

interface Asked extends RequestOptions {
  readonly target: string;
}

type Values = Readonly<Record<string, string>>;

/** Each example is a part of the service's answer to the example values. */
async function assertRealAnswers(
  t: Test,
  openApi: OpenApi,
  service: { readonly port: number },
): Promise<void> {
  for (const operation of openApi.operations) {
    for (const [mediaType, filename] of [
      ['application/json', 'parameters.json'],
      ['application/geo+json', 'stations.geojson'],
    ] as const) {
      const example = openApi.answerExample(operation.path, mediaType);
      if (example === undefined) continue;
      const more = { language: 'en', filename };
      const { target } = requestOf(operation, { ...exampleValues(operation), ...more });
      const { body } = await getJson(service, target);
      t.ok(isPartOf(example, body), `${target}: ${JSON.stringify(example)}`);
    }
  }
}

/** 404 without an archive. */
const WITHOUT_ARCHIVE: readonly string[] = [
  '/api/v1/archive',
  '/api/v1/archive.sql',
  '/api/v1/archive/daily.csv',
];

/** A stream that no test can wait for the end of: test/service/api/events.test.ts. */
const ENDLESS = '/api/v1/events';

void t.test('with the demonstration', async (t) => {
  const service = await startDemonstration(t, { env: { WORKER_THREADS: '1' } });
  const { files } = await storeArchive(t, service.published, { months: ['2025-12'] });
  await eventually('the archive is served', async () => {
    return (await get(service, '/api/v1/archive')).status === 200;
  });
  const valuesOf = (operation: Operation): Values => ({
    ...exampleValues(operation),
    ...(operation.path === '/api/v1/archive/{path}' && { path: files[0]?.path ?? '' }),
  });
  const openApi = await OpenApi.of(service);

  await t.test('is an OpenAPI document by the official schema', async (t) => {
    t.equal(await documentProblem(openApi.document), undefined);
    const broken = { ...openApi.document, paths: { meta: {} } };
    t.type(await documentProblem(broken), 'string', 'and a broken one is none');
    t.equal(openApi.document.servers[0]?.url, service.url);
  });

  await t.test('describes every route of the table and no other', async (t) => {
    const { operations } = openApi;
    t.same(
      operations.map(({ path }) => path),
      DOCUMENTED_ENDPOINTS.map(({ path }) => path),
    );
    t.equal(new Set(operations.map(({ id }) => id)).size, DOCUMENTED_ENDPOINTS.length);
    for (const { parameters } of operations) {
      for (const { name, description } of parameters) t.ok(description.length > 20, name);
    }
  });

  await t.test('has only examples that are valid, one in each place', async (t) => {
    let examples = 0;
    for (const { schema, example } of openApi.examples()) {
      const problem = await openApi.problem(schema, example);
      if (problem !== undefined) t.fail(`${schema}: ${problem}`);
      examples += 1;
    }
    t.ok(examples > 80, `${examples} examples`);
    t.notMatch(JSON.stringify(openApi.document), /<example |<base-url>/);
  });

  await t.test('has real answers for examples', async (t) => {
    await assertRealAnswers(t, openApi, service);
  });

  const ended = openApi.operations.filter(({ path }) => path !== ENDLESS);

  await t.test('says of every status what is answered then', async (t) => {
    for (const operation of ended) {
      const { path, statuses } = operation;
      const usual = await get(service, requestOf(operation, valuesOf(operation)).target);
      for (const status of statuses) {
        if (status === 503) continue; // of a service without a snapshot, below
        if (status === 404 && WITHOUT_ARCHIVE.includes(path)) continue; // also below
        const { target, ...options } = provoke({ operation, status, usual }, valuesOf(operation));
        const answer = await get(service, target, options);
        t.equal(answer.status, status, `${path} ${status}`);
        await openApi.check(path, answer);
        const head = await get(service, target, { ...options, method: 'HEAD' });
        // A range is defined for GET alone (RFC 9110 §14.2).
        const headStatus = { 206: 200, 405: usual.status, 416: 200 }[status] ?? status;
        t.equal(head.status, headStatus, `HEAD of ${path} ${status}`);
        await openApi.check(path, head, 'HEAD');
      }
      const options = await get(service, requestOf(operation, {}).target, { method: 'OPTIONS' });
      t.equal(options.status, 204);
      t.equal(options.headers.allow, 'GET, HEAD, OPTIONS');
    }
  });

  await t.test('describes every file of the bundle', async (t) => {
    const path = '/api/v1/bulk/{filename}';
    const operation = openApi.operations.find((one) => one.path === path);
    const names = operation?.parameters[0]?.schema.enum ?? [];
    t.equal(names.length, 8);
    for (const name of names) {
      await openApi.check(path, await get(service, `/api/v1/bulk/${name}`));
    }
  });

  await t.test('says what a crowd is answered', async (t) => {
    const path = '/openapi.json';
    let busy: readonly Received[] = [];
    // Where this process gets little of the machine it is no crowd at first.
    for (let time = 0; busy.length === 0 && time < 10; time += 1) {
      const crowd = Array.from({ length: CROWD }, (_, index) =>
        get(service, path, { headers: { Host: `crowd-${time}-${index}.example` } }),
      );
      busy = (await Promise.all(crowd)).filter(({ status }) => status === 503);
    }
    t.ok(busy.length > 0 && busy.length < CROWD, `${busy.length} were turned away`);
    for (const answer of busy) {
      await openApi.check(path, answer);
      t.equal(answer.body.toString(), '{"detail":"Service is busy. Try again later."}');
    }
  });

  await t.test('is linked from the data that it describes', async (t) => {
    const { headers } = await get(service, '/api/v1/metadata');
    t.match(headers['link'], /^<\/openapi\.json>; rel="service-desc"/);
    for (const relation of ['license', 'describedby']) {
      t.match(headers['link'], new RegExp(`<[^>]+>; rel="${relation}"`));
    }
    t.equal((await get(service, '/meta')).headers['link'], undefined);
  });

  await t.test('of another snapshot it has a station and a component in parameters', async (t) => {
    await publishAndServe(service, { ...snapshotDocument(), snapshot_id: 'another-network' });
    const openApi = await OpenApi.of(service);
    for (const { schema, example } of openApi.examples()) {
      t.equal(await openApi.problem(schema, example), undefined, schema);
    }
    for (const operation of openApi.operations) {
      if (!operation.parameters.some(({ name }) => /^(?:station|component)_id$/.test(name)))
        continue;
      const { target } = requestOf(operation, exampleValues(operation));
      t.equal((await get(service, target)).status, 200, target);
    }
    const { body: words } = await get(service, '/llms.txt');
    const parameters = openApi.operations.map((operation) => operation.parameters);
    for (const text of [JSON.stringify(parameters), String(words)]) t.notMatch(text, /28005002/);
  });

  await t.test('with a snapshot that holds next to nothing it is valid too', async (t) => {
    await publishAndServe(service, snapshotDocument({ stations: [], measurements: [] }));
    const openApi = await OpenApi.of(service);
    t.equal(await documentProblem(openApi.document), undefined);
    for (const { schema, example } of openApi.examples()) {
      const problem = await openApi.problem(schema, example);
      if (problem !== undefined) t.fail(`${schema}: ${problem}`);
    }
  });
});

void t.test('without a snapshot', async (t) => {
  const env = { PUBLIC_BASE_URL: 'https://data.example/air/' };
  const service = await startService(t, { env, expect: ['store unreachable', 'unavailable'] });
  const { headers, body } = await getJson(service, '/openapi.json');
  const openApi = new OpenApi(body);

  await t.test('is the same document, not to be kept', async (t) => {
    t.equal(headers['cache-control'], 'no-store');
    t.equal(await documentProblem(body), undefined);
    t.equal(openApi.document.servers[0]?.url, 'https://data.example/air');
    t.notMatch(JSON.stringify(body), /<example |<base-url>/);
    t.same(
      openApi.operations.map(({ path }) => path),
      DOCUMENTED_ENDPOINTS.map(({ path }) => path),
    );
    await openApi.check('/openapi.json', await get(service, '/openapi.json'));
  });

  await t.test('says of every route what is answered then', async (t) => {
    await eventually('it is known that there is no archive', async () => {
      return (await get(service, '/api/v1/archive')).status === 404;
    });
    for (const operation of openApi.operations) {
      if (operation.path === ENDLESS) continue;
      const { path, statuses } = operation;
      const answer = await get(service, requestOf(operation, SOME_VALUES).target);
      const needsNone = [
        '/openapi.json',
        '/llms.txt',
        '/robots.txt',
        '/sitemap.xml',
        '/health/live',
        '/api/v1/data-dictionary',
      ];
      const { operation: documented } = DOCUMENTED_ENDPOINTS.find((one) => one.path === path) ?? {};
      // A page says that there are no data; a picture cannot.
      const isPage =
        documented?.tag === 'Pages' && documented.refusals?.includes('unavailable') !== true;
      const expected =
        isPage || needsNone.includes(path) ? 200 : statuses.includes(503) ? 503 : 308;
      // Daily values need a snapshot.
      const isArchive = path.startsWith('/api/v1/archive') && !path.endsWith('daily.csv');
      t.equal(answer.status, isArchive ? 404 : expected, path);
      await openApi.check(path, answer);
    }
  });
});

/** Values of required parameters without examples. */
const SOME_VALUES: Values = {
  organization_id: '1',
  station_id: '1',
  component_id: '1',
  window: '1d',
  format: 'csv',
  filename: 'stations.csv',
  since: 'never',
};

function exampleValues({ parameters }: Operation): Values {
  return Object.fromEntries(
    parameters.flatMap(({ name, in: place, required, schema, example }) => {
      const value = example ?? (required ? schema.enum?.[0] : undefined);
      return place === 'header' || value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** Parameters that are not in `values` are left out; in a path they stand as their names. */
function requestOf({ path, parameters }: Operation, values: Values): Asked {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place } of parameters) {
    const value = values[name];
    if (value === undefined) continue;
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'query') query.set(name, value);
  }
  return { target: query.size > 0 ? `${target}?${query.toString()}` : target };
}

/** A request that is answered with a status that the document lists; `usual` is the 200 of the operation. */
function provoke(
  { operation, status, usual }: { operation: Operation; status: number; usual: Received },
  values: Values,
): Asked {
  const plain = requestOf(operation, values);
  const named = operation.parameters.filter(({ in: place }) => place !== 'header');
  switch (status) {
    case 200:
    case 308:
      return plain;
    case 206:
      return { ...plain, headers: { Range: 'bytes=0-9' } };
    case 304:
      return { ...plain, headers: { 'If-None-Match': String(usual.headers.etag) } };
    case 400: {
      const first = named.find(({ name }) => ['organization_id', 'from', 'bbox'].includes(name));
      if (first === undefined) return { ...plain, headers: { Host: 'no host' } };
      return requestOf(operation, { ...values, [first.name]: 'nonsense' });
    }
    case 404: {
      const id =
        named.filter((one) => one.in === 'path' || one.schema.type === 'integer').at(-1) ??
        named.find(({ name }) => ['station_id', 'component_id'].includes(name));
      return requestOf(operation, { ...values, [id?.name ?? '']: '404' });
    }
    case 410:
      return requestOf(operation, { ...values, since: 'never' });
    case 405:
      return { ...plain, method: 'DELETE' };
    case 412:
      return { ...plain, headers: { 'If-Match': '"other"' } };
    case 416:
      return { ...plain, headers: { Range: 'bytes=99999999-' } };
    case 422: {
      const strict = named.find(({ schema }) =>
        Boolean(schema.enum ?? ['integer', 'boolean'].includes(String(schema.type))),
      );
      return requestOf(operation, { ...values, [strict?.name ?? '']: 'nonsense' });
    }
    default:
      throw new Error(`no request is known that ${operation.path} answers with ${status}`);
  }
}

/** Whether all of `part` is in `whole`; a list may go on in `whole`. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (typeof whole !== 'object' || whole === null) return false;
  const found: Readonly<Record<string, unknown>> = { ...whole };
  const names = Object.keys(part);
  if (!Array.isArray(part) && names.length !== Object.keys(found).length) return false;
  return Object.entries(part).every(([name, value]) => isPartOf(value, found[name]));
}
