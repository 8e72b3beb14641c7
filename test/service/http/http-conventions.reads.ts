/**
 * Conventions of HTTP that clients rely on: methods, conditions, codings, origins, errors. Preferences in all forms:
 * `accept-encoding.unit.ts`.
 */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { ENDPOINTS } from '../../../src/http/routes/routes.js';
import {
  askOnce,
  fieldOf,
  fieldsWithoutDate,
  type Answer,
} from '../../support/service/connection.js';
import { casesOf } from '../../support/readers/cases.js';
import { LEGACY_TARGETS } from '../../support/service/requests.js';
import { activePointer } from '../../support/service/service.js';
import { sharedService } from '../../support/service/shared-service.js';

const ID = '20260910T000000Z-test';
const OPAQUE_TAG = `${ID}-${BUILD_ID}`;
const TAG = `W/"${OPAQUE_TAG}"`;

const MISSING = '{"detail":"No public data found for the requested resource."}';
const INVALID = '{"detail":"Invalid request parameters."}';

/** One of every status that a client can bring about while data are there, HEAD and OPTIONS aside. */
const REFUSED = [
  ['/measurements', 400, INVALID],
  ['/measurements?organization_id=1&station_id=x&component_id=8&window=1d', 400, INVALID],
  ['/measurements?organization_id=1&station_id=1&component_id=8&window=2d', 400, INVALID],
  ['/measurements?organization_id=1&station_id=&component_id=8&window=1d', 400, INVALID],
  ['/measurements??organization_id=1&station_id=1&component_id=8&window=1d', 400, INVALID],
  ['/measurements?organization_id=2&station_id=1&component_id=8&window=1d', 404, MISSING],
  ['/measurements?organization_id=1&station_id=1&component_id=4&window=1d', 404, MISSING],
  ['/measurements?organization_id=1&station_id=9&component_id=1&window=1d', 404, MISSING],
  ['/3/stations', 404, MISSING],
  ['/1/stations/9/meta', 404, MISSING],
  ['/2/stations/1/meta', 404, MISSING],
  ['/2/stations/7/measurements/last_24h', 404, MISSING],
  ['/no/such/path', 404, '{"detail":"Not Found"}'],
  ['/1%2Fstations', 404, '{"detail":"Not Found"}'],
  [
    '/one/stations',
    422,
    '{"detail":[{"loc":["path","organization_id"],"msg":"Input should be a valid integer, ' +
      'unable to parse string as an integer","type":"int_parsing","input":"one"}]}',
  ],
  [
    '/health/ready?deep=2',
    422,
    '{"detail":[{"loc":["query","deep"],"msg":"Input should be a valid boolean, ' +
      'unable to interpret input","type":"bool_parsing","input":"2"}]}',
  ],
] as const;

void t.test('clients of HTTP', async (t) => {
  const service = await sharedService();
  const { activatedAtMs } = await activePointer(service);
  /** Seconds after the pointer was moved. */
  const dateAfter = (seconds: number): string =>
    new Date(activatedAtMs + seconds * 1000).toUTCString();

  const ask = async (
    target: string,
    fields: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<Answer> => await askOnce(service, { target, fields, method });

  await t.test('answers HEAD with the fields of GET and no body', async (t) => {
    const targets = [
      ...LEGACY_TARGETS,
      '/health/live',
      '/health/ready',
      '/api/v1/observations.csv',
      '/api/v1/observations.csv?layout=wide',
      '/api/v1/observations/latest.csv',
      '/api/v1/stations?lat=44.8&lon=20.4',
      ...REFUSED.map(([path]) => path),
    ];
    for (const target of targets) {
      for (const coding of ['identity', 'gzip']) {
        const fields = { 'Accept-Encoding': coding };
        const [whole, head] = [await ask(target, fields), await ask(target, fields, 'HEAD')];
        t.equal(head.status, whole.status, target);
        t.same(fieldsWithoutDate(head), fieldsWithoutDate(whole), target);
        t.equal(fieldOf(whole, 'content-length'), String(whole.body.length), target);
      }
    }
  });

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
      t.equal(answer.status, 204, target);
      t.equal(fieldOf(answer, 'allow'), 'GET, HEAD, OPTIONS');
      t.equal(fieldOf(answer, 'access-control-allow-origin'), '*');
      t.match(fieldOf(answer, 'access-control-allow-methods'), /GET, HEAD/);
      t.equal(fieldOf(answer, 'content-length'), undefined);
      const listed = fieldOf(answer, 'access-control-allow-headers') ?? '';
      const allowed = listed.toLowerCase().split(', ');
      // Fields that the asterisk excludes (Fetch, "CORS-preflight fetch"), or that browsers without it need (Safari
      // 15.3).
      const missing = ['*', ...usual, ...ours].filter((name) => !allowed.includes(name));
      t.same(missing, [], target);
    }
  });

  await t.test('answers other methods with 405', async (t) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'QUERY', 'get']) {
      for (const target of ['/meta', '/1/stations', '/health/live', '/%6deta']) {
        const answer = await ask(target, {}, method);
        t.equal(answer.status, 405, `${method} ${target}`);
        t.equal(fieldOf(answer, 'allow'), 'GET, HEAD, OPTIONS');
        t.equal(answer.body.toString(), '{"detail":"Method Not Allowed"}');
      }
      t.equal((await ask('/no/such/path', {}, method)).status, 404, method);
    }
  });

  await t.test('gives every error its documented body', async (t) => {
    for (const [target, status, body] of REFUSED) {
      const answer = await ask(target);
      t.equal(answer.status, status, target);
      t.equal(answer.body.toString(), body, target);
      t.equal(fieldOf(answer, 'content-type'), 'application/json');
      t.equal(fieldOf(answer, 'cache-control'), 'no-store');
      t.equal(fieldOf(answer, 'etag'), undefined);
    }
    for (const text of casesOf('refused', 'integers').map(encodeURIComponent)) {
      const isEmpty = text === '';
      t.equal((await ask(`/${text}/stations`)).status, isEmpty ? 404 : 422, text);
    }
  });

  await t.test('says with all data which snapshot they are of', async (t) => {
    for (const target of LEGACY_TARGETS) {
      const answer = await ask(target);
      t.equal(answer.status, 200, target);
      t.equal(fieldOf(answer, 'content-type'), 'application/json');
      t.equal(fieldOf(answer, 'x-snapshot-id'), ID);
      t.equal(fieldOf(answer, 'etag'), TAG);
      t.equal(fieldOf(answer, 'last-modified'), dateAfter(0));
      t.match(fieldOf(answer, 'cache-control'), /^public, max-age=\d+/);
      t.equal(fieldOf(answer, 'vary'), 'Accept-Encoding');
      t.equal(fieldOf(answer, 'set-cookie'), undefined);
    }
  });

  await t.test('answers 304 to whoever has the current representation, else 200', async (t) => {
    const [weak, strong] = [TAG, `"${OPAQUE_TAG}"`];
    const gzip = `"${OPAQUE_TAG}-gzip"`;
    const lists = [`"other", ${TAG}`, `W/"a","b" , ${TAG},`, `"a, b", ${TAG}`, `"x"\t,, ${TAG}`];
    for (const tag of [weak, strong, gzip, `W/${gzip}`, '*', ` * `, ...lists]) {
      for (const method of ['GET', 'HEAD']) {
        for (const target of LEGACY_TARGETS) {
          const answer = await ask(target, { 'If-None-Match': tag }, method);
          t.equal(answer.status, 304, `${target} ${tag}`);
          t.same(changedFields(await ask(target), answer), [], 'repeats what a cache needs');
        }
      }
    }
    const cut = [OPAQUE_TAG, `"${OPAQUE_TAG}`, `"${OPAQUE_TAG.slice(1)}"`, `W/"${ID}"`];
    for (const tag of ['"other"', `W/"${OPAQUE_TAG}-br"`, ...cut, '""', '"*"', ',']) {
      t.equal((await ask('/meta', { 'If-None-Match': tag })).status, 200, tag);
    }
    t.equal((await ask('/3/stations', { 'If-None-Match': '*' })).status, 404);
    const repeated = `Host: a\r\nIf-None-Match: "x"\r\nIf-None-Match: ${TAG}\r\n\r\n`;
    const joined = await askOnce(service, [Buffer.from(`GET /meta HTTP/1.1\r\n${repeated}`)]);
    t.equal(joined.status, 304, 'lines of a repeated list are joined');
  });

  await t.test('looks at If-Modified-Since where no tag is sent', async (t) => {
    const cases = [
      [dateAfter(0), 304],
      [dateAfter(86_400), 304],
      [dateAfter(-1), 200],
      [dateAfter(0).slice(0, 16), 200],
      ['2026-09-10T00:00:00Z', 200],
      ['yesterday', 200],
      ['Fri, 10 Sep 2100 00:00:00', 200],
      ['Thu, 10 Sep 2100 00:00:00 GMT', 200],
      ['Friday, 10-Sep-60 00:00:00 GMT', 200],
      ['Fri Sep 10 00:00:00 2100', 200],
      ['4102444800000', 200],
      ['Thu, 40 Sep 2026 00:00:00 GMT', 200],
    ] as const;
    for (const [since, status] of cases) {
      t.equal((await ask('/meta', { 'If-Modified-Since': since })).status, status, since);
      const both = { 'If-Modified-Since': since, 'If-None-Match': '"other"' };
      t.equal((await ask('/meta', both)).status, 200, `${since} beside another tag`);
    }
  });

  await t.test('lets scripts of any origin read any answer', async (t) => {
    for (const target of ['/meta', '/stations', '/health/live', ...REFUSED.map(([path]) => path)]) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
        const answer = await ask(target, { Origin: 'null', 'If-None-Match': '*' }, method);
        t.equal(fieldOf(answer, 'access-control-allow-origin'), '*', target);
        t.match(fieldOf(answer, 'access-control-expose-headers'), /ETag.*X-Snapshot-Id/);
        t.equal(fieldOf(answer, 'access-control-allow-credentials'), undefined);
      }
    }
  });

  await t.test('reads a path with needless escapes as what it says', async (t) => {
    const pairs = [
      ['/%6deta', '/meta'],
      ['/%6D%65%74%61', '/meta'],
      ['/%31/%73tations', '/1/stations'],
      ['/1/stations/%31/measurements/last%5fhour', LEGACY_TARGETS[7]],
      [
        '/measurement%73?organization_id=1&station_id=1&component_id=8&window=1d',
        LEGACY_TARGETS[9],
      ],
    ] as const;
    for (const [escaped, plain] of pairs) {
      const answer = await ask(escaped);
      t.equal(answer.status, 200, escaped);
      t.same(answer.body, (await ask(plain)).body, escaped);
    }
    const others = ['/%2Fmeta', '/1%2fstations', '/%6deta%2F', '/%256deta', '/metb'];
    const parts = ['/1/stations/2', '/1/stations//meta', '//stations/2/meta'];
    for (const path of [...others, ...parts]) {
      t.equal((await ask(path)).status, 404, path);
    }
  });

  await t.test('redirects a path with a slash after it, and nowhere else', async (t) => {
    // A path that a browser would read as another host is not redirected.
    const beginnings = [
      '//',
      '/\\',
      '/\\\\',
      '/\\/',
      '/./\\',
      '/%2e/\\',
      '/%5c',
      '/%2f',
      '/%5C%5c',
      '/..//',
      '/%09/',
    ];
    for (const beginning of beginnings) {
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
    for (const path of ['/metb/', '//meta/', '/meta//', '//evil.example/', '///']) {
      t.equal((await ask(path)).status, 404, path);
    }
  });

  await t.test('names the parameters that it ignores', async (t) => {
    const ignored = async (path: string, fields = {}) =>
      fieldOf(await ask(path, fields), 'x-ignored-parameters');
    t.equal(await ignored('/api/v1/stations?station=1'), 'station');
    t.equal(await ignored('/api/v1/stations?station=1'), 'station', 'again');
    t.equal(await ignored('/api/v1/stations?active=true'), undefined);
    t.equal(await ignored('/api/v1/stations'), undefined);
    t.equal(await ignored('/meta?x=1&x=2&active=1'), 'x, active', 'where nothing is read');
    t.equal(await ignored('/api/v1/stations?active=maybe&b=1'), 'b', 'of a refusal');
    t.equal(await ignored('/no/such/path?b=1'), undefined);
    t.equal(
      await ignored('/meta?%0d%0aX-Evil:%201=%C5%A1&%F0%9F%98%80=1'),
      '%0D%0AX-Evil%3A%201, %F0%9F%98%80',
    );
    const many = Array.from({ length: 40 }, (_, at) => `p${at}=1`).join('&');
    t.match(await ignored(`/meta?${many}`), /^p0, .*, p15, \.\.\.$/);
    const plain = await ask('/api/v1/stations');
    const noted = await ask('/api/v1/stations?b=1');
    t.same(noted.body, plain.body);
    const etag = fieldOf(noted, 'etag') ?? '';
    t.equal(etag, fieldOf(plain, 'etag'));
    t.equal(await ignored('/api/v1/stations?b=1', { 'If-None-Match': etag }), 'b', '304');
    const csv = await ask('/api/v1/observations.csv?stations=1');
    t.equal(fieldOf(csv, 'x-ignored-parameters'), 'stations');
    t.match(fieldOf(csv, 'access-control-expose-headers'), 'X-Ignored-Parameters');
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
    for (const [query, ignored] of [
      ['active[]=true', 'active%5B%5D'],
      ['bbox[0]=1,2,3,4&station_id[a]=1', 'bbox%5B0%5D, station_id%5Ba%5D'],
      ['station_id[]extra=1&[]=2', 'station_id%5B%5Dextra, %5B%5D'],
    ] as const) {
      t.equal(fieldOf(await ask(`/api/v1/stations?${query}`), 'x-ignored-parameters'), ignored);
    }
    t.equal((await ask(LEGACY_TARGETS[9].replace('station_id', 'station_id[]'))).status, 400);
  });

  await t.test('compresses as the client prefers: accept-encoding.unit.ts', async (t) => {
    const large = '/api/v1/data-dictionary';
    const identity = await ask(large);
    for (const [preference, compressed] of [
      ['', false],
      ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
      ['gzip;q=0, *', false],
    ] as const) {
      const answer = await ask(large, { 'Accept-Encoding': preference });
      t.equal(fieldOf(answer, 'content-encoding'), compressed ? 'gzip' : undefined, preference);
      t.equal(fieldOf(answer, 'vary'), 'Accept-Encoding', preference);
      t.equal(fieldOf(answer, 'etag'), fieldOf(identity, 'etag'), preference);
      const body = compressed ? gunzipSync(answer.body) : answer.body;
      t.ok(body.equals(identity.body), preference);
    }
    const tiny = await ask('/networks', { 'Accept-Encoding': 'gzip' });
    t.equal(fieldOf(tiny, 'content-encoding'), undefined, 'a tiny body gains nothing');
    t.equal(fieldOf(tiny, 'vary'), 'Accept-Encoding');
  });
});

/** Differences in the fields that a 304 repeats (RFC 9110 §15.4.5), and in our own fields. */
function changedFields(whole: Answer, notModified: Answer): readonly string[] {
  const names = ['etag', 'cache-control', 'vary', 'last-modified', 'x-snapshot-id'];
  return names.filter((name) => fieldOf(whole, name) !== fieldOf(notModified, name));
}
