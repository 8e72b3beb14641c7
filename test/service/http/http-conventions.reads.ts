/** Conventions of ours that clients rely on: methods, errors, paths, parameters. Those of HTTP: `rules.reads.ts`. */
import t from 'tap';
import { ENDPOINTS } from '../../../src/http/routes/routes.js';
import { asker, fieldOf, fieldsWithoutDate } from '../../support/service/connection.js';
import { casesOf, namedCasesOf } from '../../support/readers/cases.js';
import { LEGACY_TARGETS } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

const MISSING = '{"detail":"No public data found for the requested resource."}';
const INVALID = '{"detail":"Invalid request parameters."}';

const INTEGER =
  '"msg":"Input should be a valid integer, unable to parse string as an integer","type":"int_parsing"';
const BOOLEAN =
  '"msg":"Input should be a valid boolean, unable to interpret input","type":"bool_parsing"';

/** The bodies of errors by status and list of targets. */
const REFUSED = [
  [400, 'invalid', INVALID],
  [404, 'not public', MISSING],
  [404, 'no path', '{"detail":"Not Found"}'],
  [422, 'no integer', `{"detail":[{"loc":["path","organization_id"],${INTEGER},"input":"one"}]}`],
  [422, 'no boolean', `{"detail":[{"loc":["query","deep"],${BOOLEAN},"input":"2"}]}`],
] as const;

void t.test('clients of HTTP', async (t) => {
  const service = await sharedService();

  const ask = asker(t, service);

  await t.test('answers OPTIONS with 204, and lets a script send any header field', async (t) => {
    const usual = ['content-type', 'cache-control', 'x-requested-with', 'traceparent'];
    const ours = ['range', 'if-none-match', 'if-modified-since', 'last-event-id', 'authorization'];
    const others = ['/health/live', '/%6deta', '/api/v1/events', '/api/v1/bulk/stations.csv', '/'];
    for (const target of [...LEGACY_TARGETS, ...others]) {
      const fields = {
        Origin: 'http://a.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': [...usual, ...ours, 'x-anything'].sort().join(','),
      };
      const answer = await ask(target, fields, 'OPTIONS');
      t.same([answer.status, fieldOf(answer, 'allow')], [204, 'GET, HEAD, OPTIONS'], target);
      t.equal(fieldOf(answer, 'access-control-allow-origin'), '*');
      t.match(fieldOf(answer, 'access-control-allow-methods'), /GET, HEAD/);
      t.equal(fieldOf(answer, 'content-length'), undefined);
      // Fields that the asterisk excludes (Fetch, "CORS-preflight fetch"), or that browsers without it need (Safari
      // 15.3).
      const listed = fieldOf(answer, 'access-control-allow-headers') ?? '';
      const allowed = listed.toLowerCase().split(', ');
      t.ok(
        ['*', ...usual, ...ours].every((name) => allowed.includes(name)),
        listed,
      );
    }
  });

  await t.test('answers other methods with 405', async (t) => {
    for (const method of ['POST', 'QUERY', 'get']) {
      for (const target of ['/meta', '/1/stations', '/health/live', '/%6deta']) {
        const answer = await ask(target, { Origin: 'null' }, method);
        t.same([answer.status, answer.body.toString()], [405, '{"detail":"Method Not Allowed"}']);
        t.equal(fieldOf(answer, 'allow'), 'GET, HEAD, OPTIONS', `${method} ${target}`);
        t.equal(fieldOf(answer, 'access-control-allow-origin'), '*');
      }
      t.equal((await ask('/no/such/path', {}, method)).status, 404, method);
    }
  });

  await t.test('gives every error its documented body', async (t) => {
    for (const [status, list, body] of REFUSED) {
      for (const target of casesOf('refused', list)) {
        const answer = await ask(target, { 'If-None-Match': '*' });
        t.same([answer.status, answer.body.toString()], [status, body], target);
        t.equal(fieldOf(answer, 'content-type'), 'application/json');
        t.equal(fieldOf(answer, 'cache-control'), 'no-store');
        t.equal(fieldOf(answer, 'etag'), undefined);
      }
    }
    for (const text of casesOf('refused', 'integers').map(encodeURIComponent)) {
      const isEmpty = text === '';
      t.equal((await ask(`/${text}/stations`)).status, isEmpty ? 404 : 422, text);
    }
  });

  await t.test('reads a path with needless escapes as what it says', async (t) => {
    const pairs = [
      ['/%6D%65%74%61', '/meta'],
      ['/%31/%73tations', '/1/stations'],
      ['/1/stations/%31/measurements/last%5fhour', LEGACY_TARGETS[7]],
      [LEGACY_TARGETS[9].replace('/measurements', '/measurement%73'), LEGACY_TARGETS[9]],
    ] as const;
    for (const [escaped, plain] of pairs) {
      const answer = await ask(escaped);
      t.equal(answer.status, 200, escaped);
      t.same(answer.body, (await ask(plain)).body, escaped);
    }
  });

  await t.test('redirects a path with a slash after it, and nowhere else', async (t) => {
    // A path that a browser would read as another host is not redirected.
    for (const beginning of casesOf('odd', 'another host')) {
      for (const end of ['stations/', 'stations/2/meta/', 'stations//', 'sta\\tions/']) {
        const { status, fields } = await ask(`${beginning}evil.example/${end}`);
        const location = fieldOf({ fields }, 'location');
        if (status !== 308) t.equal(status, 404, `${beginning} ${end}`);
        else
          t.equal(new URL(location ?? '//', 'http://own.example').host, 'own.example', beginning);
        t.notMatch(location ?? '', /\\|^\/\//);
      }
    }
    for (const [path = '', location] of [
      ['/%6deta/', '/meta'],
      ['/1/stations/2/meta/', '/1/stations/2/meta'],
      ['/api/v1/stations/?active=true&x=%20', '/api/v1/stations?active=true&x=%20'],
    ]) {
      const answer = await ask(path);
      t.equal(answer.status, 308, path);
      t.equal(fieldOf(answer, 'location'), location);
    }
  });

  await t.test('names the parameters that it ignores', async (t) => {
    const ignored = async (path: string, fields = {}) =>
      fieldOf(await ask(path, fields), 'x-ignored-parameters');
    for (const [path, expected] of namedCasesOf('odd', 'ignored parameters')) {
      for (const time of ['first', 'again']) {
        t.equal((await ignored(path)) ?? '', expected, `${path} ${time}`);
      }
    }
    const many = Array.from({ length: 40 }, (_, at) => `p${at}=1`).join('&');
    t.match(await ignored(`/meta?${many}`), /^p0, .*, p15, \.\.\.$/);
    const plain = await ask('/api/v1/stations');
    const noted = await ask('/api/v1/stations?b=1');
    t.same(noted.body, plain.body);
    const etag = fieldOf(noted, 'etag') ?? '';
    t.equal(etag, fieldOf(plain, 'etag'));
    t.equal(await ignored('/api/v1/stations?b=1', { 'If-None-Match': etag }), 'b', '304');
  });

  await t.test('takes the items of a list as clients write them', async (t) => {
    const others = ['/api/v1/changes', '/api/v1/archive/daily.csv'];
    const lists = ENDPOINTS.flatMap(({ path, entries }) =>
      entries.flatMap(([name, { schema }]) =>
        schema['type'] === 'array' && !others.includes(path) ? [[path, name] as const] : [],
      ),
    );
    t.ok(lists.length > 10 && lists.some(([, name]) => name === 'parameter_code'));
    for (const [path, name] of lists) {
      const isCompared = name === 'compare';
      const others = isCompared ? '?station_id=2&component_id=8&' : '?';
      const [one, two] = isCompared || name === 'station_id' ? ['1', '3'] : ['O3', 'PM10'];
      const expected = await ask(`${path}${others}${name}=${one}&${name}=${two}`);
      t.notOk(expected.body.equals((await ask(path + others)).body), `${path} is not all`);
      for (const query of [
        `${name}[]=${one}&${name}[]=${two}`,
        `${name}[0]=${one}&${name}[1]=${two}`,
        `${name}%5B12%5D=${one}&${name}=${two}`,
        `${name}[]=${one},${two}`,
      ]) {
        const answer = await ask(path + others + query);
        t.same(fieldsWithoutDate(answer), fieldsWithoutDate(expected), `${path}?${query}`);
        t.ok(answer.body.equals(expected.body), `${path}?${query}`);
      }
      // Values that cannot be compared count as missing.
      if (!isCompared)
        t.equal((await ask(`${path}?${name}[]=${'x,'.repeat(501)}`)).status, 400, path);
    }
    t.equal((await ask(LEGACY_TARGETS[9].replace('station_id', 'station_id[]'))).status, 400);
  });
});
