/** Conventions of ours that clients rely on: methods, errors, paths, parameters. Those of HTTP: `rules.reads.ts`. */
import t from 'tap';
import { asker, fieldOf, fieldsWithoutDate } from '../../support/service/connection.js';
import { casesOf, namedCasesOf } from '../../support/readers/cases.js';
import { LEGACY_TARGETS } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

void t.test('conventions', async (t) => {
  const ask = asker(t, await sharedService());

  await t.test('OPTIONS is 204, and lets a script send any header field', async (t) => {
    // Beside the asterisk: what it excludes (Fetch, "CORS-preflight fetch"), and what Safari 15.3 needs.
    const usual = ['content-type', 'cache-control', 'x-requested-with', 'traceparent', 'range'];
    const ours = ['if-none-match', 'if-modified-since', 'last-event-id', 'authorization'];
    const names = [...usual, ...ours];
    for (const target of ['/health/live', '/%6deta', '/api/v1/events', '/api/v1/stations', '/']) {
      const fields = {
        Origin: 'http://a.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': [...names, 'x-anything'].sort().join(','),
      };
      const answer = await ask(target, fields, 'OPTIONS');
      t.same([answer.status, fieldOf(answer, 'allow')], [204, 'GET, HEAD, OPTIONS'], target);
      t.equal(fieldOf(answer, 'access-control-allow-origin'), '*');
      t.match(fieldOf(answer, 'access-control-allow-methods'), /GET, HEAD/);
      t.equal(fieldOf(answer, 'content-length'), undefined);
      const listed = fieldOf(answer, 'access-control-allow-headers') ?? '';
      const allowed = listed.toLowerCase().split(', ');
      const missing = ['*', ...names].filter((name) => !allowed.includes(name));
      t.same(missing, [], listed);
    }
  });

  await t.test('other methods are 405, but 404 where nothing is', async (t) => {
    for (const method of ['POST', 'QUERY', 'get']) {
      for (const target of ['/1/stations', '/health/live', '/%6deta']) {
        const answer = await ask(target, { Origin: 'null' }, method);
        t.same([answer.status, answer.body.toString()], [405, '{"detail":"Method Not Allowed"}']);
        t.equal(fieldOf(answer, 'allow'), 'GET, HEAD, OPTIONS', `${method} ${target}`);
        t.equal(fieldOf(answer, 'access-control-allow-origin'), '*');
      }
      t.equal((await ask('/no/such/path', {}, method)).status, 404, method);
    }
  });

  await t.test('gives every error its documented body', async (t) => {
    for (const [list, expected] of namedCasesOf('refused', 'status and body')) {
      for (const target of casesOf('refused', list)) {
        const answer = await ask(target, { 'If-None-Match': '*' });
        t.equal(`${answer.status} ${answer.body.toString()}`, expected, target);
        t.equal(fieldOf(answer, 'content-type'), 'application/json');
        t.equal(fieldOf(answer, 'cache-control'), 'no-store');
        t.equal(fieldOf(answer, 'etag'), undefined);
      }
    }
    for (const text of casesOf('refused', 'integers')) {
      for (const path of [`/${text}/stations`, `/1/stations/${text}/meta`]) {
        t.equal((await ask(path)).status, text === '' ? 404 : 422, path);
      }
    }
  });

  await t.test('reads a path with needless escapes as what it says', async (t) => {
    const pairs = [
      ['/%6D%65%74%61', '/meta'],
      ['/%31/%73tations', '/1/stations'],
      ['/1/stations/%31/measurements/last%5fhour', LEGACY_TARGETS[7]],
      [LEGACY_TARGETS[9].replace('/measurements', '/measurement%73'), LEGACY_TARGETS[9]],
      [LEGACY_TARGETS[9].replace('organization_id', '%6frganization%5Fid'), LEGACY_TARGETS[9]],
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
        const answer = await ask(`${beginning}evil.example/${end}`);
        const location = fieldOf(answer, 'location') ?? '/';
        t.equal(new URL(location, 'http://own.example').host, 'own.example', beginning);
        t.notMatch(location, /\\|^\/\//);
        t.equal(answer.status, location === '/' ? 404 : 308, `${beginning} ${end}`);
      }
    }
    for (const [path = '', location] of [
      ['/%6deta/', '/meta'],
      ['/1/stations/2/meta/', '/1/stations/2/meta'],
      ['/api/v1/stations/?active=true&x=%20', '/api/v1/stations?active=true&x=%20'],
    ]) {
      const answer = await ask(path);
      t.same([answer.status, fieldOf(answer, 'location')], [308, location]);
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
    const etag = fieldOf(await ask('/api/v1/stations'), 'etag') ?? '';
    t.equal(await ignored('/api/v1/stations?b=1', { 'If-None-Match': etag }), 'b', '304');
  });

  await t.test('takes the items of a list as clients write them', async (t) => {
    for (const [path, name, one, two] of [
      ['/api/v1/stations?', 'station_id', '1', '3'],
      ['/api/v1/observations?', 'parameter_code', 'O3', 'PM10'],
      ['/api/v1/observations.csv?', 'station_id', '1', '3'],
      ['/api/v1/observations/latest?', 'parameter_code', 'O3', 'PM10'],
      ['/?station_id=2&component_id=8&', 'compare', '1', '3'],
    ] as const) {
      const expected = await ask(`${path}${name}=${one}&${name}=${two}`);
      t.notOk(expected.body.equals((await ask(path)).body), `${path} is not all`);
      for (const query of [
        `${name}[]=${one}&${name}[]=${two}`,
        `${name}[0]=${one}&${name}[1]=${two}`,
        `${name}%5B12%5D=${one}&${name}=${two}`,
        `${name}[]=${one},${two}`,
      ]) {
        const answer = await ask(path + query);
        t.same(fieldsWithoutDate(answer), fieldsWithoutDate(expected), path + query);
        t.ok(answer.body.equals(expected.body), path + query);
      }
    }
    t.equal((await ask(`/api/v1/stations?station_id[]=${'x,'.repeat(501)}`)).status, 400);
    t.equal((await ask(LEGACY_TARGETS[9].replace('station_id', 'station_id[]'))).status, 400);
  });
});
