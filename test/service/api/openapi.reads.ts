/** The OpenAPI document against the service that it describes. Without a snapshot: `../http/without-snapshot.reads.ts`. */
import t, { type Test } from 'tap';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import {
  get,
  getJson,
  type Received,
  type RequestOptions,
} from '../../support/service/requests.js';
import { publishAndServe, startDemonstration } from '../../support/service/serve-documents.js';
import { eventually } from '../../support/service/service.js';
import { storeArchive } from '../../support/stores/stored-archive.js';
import { documentProblem, OpenApi, targetOf, type Operation } from './openapi-reader.js';

type Values = Readonly<Record<string, string>>;

/** Answered with 404 only without an archive. */
const ARCHIVE = ['/api/v1/archive', '/api/v1/archive.sql'];

void t.test('the OpenAPI document of the demonstration', async (t) => {
  const service = await startDemonstration(t);
  const { body: index } = await getJson(service, '/api/v1/bulk');
  const { resources } = index as { readonly resources: readonly { readonly sha256: string }[] };
  const { sha256 = '' } = resources[0] ?? {};
  const { files } = await storeArchive(t, service.published, { months: ['2025-12'] });
  await eventually('the archive is served', async () => {
    return (await get(service, '/api/v1/archive')).status === 200;
  });
  const openApi = await OpenApi.of(service);
  const { operations } = openApi;

  await t.test('is one by the official schema, of every route and no other', async (t) => {
    const broken = openApi.text.replace('"paths":{', '"paths":{"meta":{},');
    t.type(await documentProblem(broken), 'string', 'and a broken one is none');
    t.equal(openApi.document.servers[0]?.url, service.url);
    const expected = DOCUMENTED_ENDPOINTS.map(({ path }) => path);
    t.same(Object.keys(openApi.document.paths), expected);
    t.equal(new Set(operations.map((one) => one.operationId)).size, expected.length);
    for (const { parameters } of operations) {
      for (const { name, description } of parameters) t.ok(description.length > 20, name);
    }
    const { headers } = await get(service, '/api/v1/metadata');
    t.match(headers['link'], /^<\/openapi\.json>; rel="service-desc"/);
    t.equal((await get(service, '/meta')).headers['link'], undefined);
  });

  await t.test('has only examples that are valid, and parts of real answers', async (t) => {
    t.ok((await validExamples(t, openApi)) > 80);
    for (const operation of operations) {
      for (const [mediaType, filename] of [
        ['application/json', 'parameters.json'],
        ['application/geo+json', 'stations.geojson'],
      ] as const) {
        const example = operation.responses['200']?.content?.[mediaType]?.example;
        if (example === undefined) continue;
        const values = { ...exampleValues(operation), language: 'en', filename };
        const target = targetOf(operation, values);
        const { body } = await getJson(service, target);
        t.ok(isPartOf(example, body), `${target}: ${JSON.stringify(example)}`);
      }
    }
  });

  await t.test('says of every status what is answered then', async (t) => {
    for (const operation of operations) {
      const { path, responses } = operation;
      // No test can wait for the end of that stream: `events.test.ts`.
      if (path === '/api/v1/events') continue;
      const values = { ...exampleValues(operation), path: files[0]?.path ?? '', sha256 };
      const usual = await get(service, targetOf(operation, values));
      for (const status of Object.keys(responses).map(Number).filter(Number.isInteger)) {
        if (status === 503 || (status === 404 && ARCHIVE.includes(path))) continue;
        const { target, ...options } = provoke({ operation, status, usual }, values);
        const answer = await get(service, target, options);
        t.equal(answer.status, status, `${path} ${status}`);
        await openApi.check(path, answer);
        const head = await get(service, target, { ...options, method: 'HEAD' });
        // A range is defined for GET alone (RFC 9110 §14.2).
        const headStatus = { 206: 200, 405: usual.status, 416: 200 }[status] ?? status;
        t.equal(head.status, headStatus, `HEAD of ${path} ${status}`);
        await openApi.check(path, head, 'HEAD');
      }
    }
    const bundle = '/api/v1/bulk/{filename}';
    const names = operations.find(({ path }) => path === bundle)?.parameters[0]?.schema.enum ?? [];
    t.equal(names.length, 8);
    for (const name of names) {
      await openApi.check(bundle, await get(service, `/api/v1/bulk/${name}`));
    }
  });

  await t.test('has a station and a component of another snapshot', async (t) => {
    await publishAndServe(service, snapshotDocument({ snapshot_id: 'another-network' }));
    const another = await OpenApi.of(service);
    await validExamples(t, another);
    for (const operation of another.operations) {
      if (!operation.parameters.some(({ name }) => /^(?:station|component)_id$/.test(name)))
        continue;
      const target = targetOf(operation, exampleValues(operation));
      t.equal((await get(service, target)).status, 200, target);
    }
    const { body: words } = await get(service, '/llms.txt');
    const parameters = another.operations.map((operation) => operation.parameters);
    for (const text of [JSON.stringify(parameters), String(words)]) t.notMatch(text, /28005002/);

    await publishAndServe(service, snapshotDocument({ stations: [], measurements: [] }));
    await validExamples(t, await OpenApi.of(service));
  });
});

/** The number of examples, all of them valid, in a document that is valid itself. */
async function validExamples(t: Test, openApi: OpenApi): Promise<number> {
  t.equal(await documentProblem(openApi.text), undefined);
  t.notMatch(openApi.text, /<example |<base-url>/);
  let examples = 0;
  for (const { schema, example } of openApi.examples()) {
    const problem = await openApi.problem(schema, example);
    if (problem !== undefined) t.fail(`${JSON.stringify(example)}: ${problem}`);
    examples += 1;
  }
  return examples;
}

function exampleValues({ parameters }: Operation): Values {
  return Object.fromEntries(
    parameters.flatMap(({ name, in: place, required, schema, example }) => {
      const value = example ?? (required ? schema.enum?.[0] : undefined);
      return place === 'header' || value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** A request that is answered with a status that the document lists; `usual` is the 200 of the operation. */
function provoke(
  { operation, status, usual }: { operation: Operation; status: number; usual: Received },
  values: Values,
): RequestOptions & { readonly target: string } {
  const target = targetOf(operation, values);
  const named = operation.parameters.filter(({ in: place }) => place !== 'header');
  const withValue = (name = '', value = 'nonsense') => {
    return { target: targetOf(operation, { ...values, [name]: value }) };
  };
  switch (status) {
    case 206:
      return { target, headers: { Range: 'bytes=0-9' } };
    case 304:
      return { target, headers: { 'If-None-Match': String(usual.headers.etag) } };
    case 400: {
      const first = named.find(({ name }) => ['organization_id', 'from', 'bbox'].includes(name));
      return first === undefined ? { target, headers: { Host: 'no host' } } : withValue(first.name);
    }
    case 404: {
      const id =
        named.findLast((one) => one.in === 'path') ??
        named.findLast((one) => one.schema.type === 'integer') ??
        named.find(({ name }) => ['station_id', 'component_id'].includes(name));
      return withValue(id?.name, '404');
    }
    case 405:
      return { target, method: 'DELETE' };
    case 410:
      return withValue(named.find(({ name }) => /^(?:since|snapshot)$/.test(name))?.name, 'never');
    case 412:
      return { target, headers: { 'If-Match': '"other"' } };
    case 416:
      return { target, headers: { Range: 'bytes=99999999-' } };
    case 422: {
      const strict = named.find(({ schema }) =>
        Boolean(schema.enum ?? ['integer', 'boolean'].includes(String(schema.type))),
      );
      return withValue(strict?.name);
    }
    default:
      return { target };
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
