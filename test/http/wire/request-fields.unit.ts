/** What of a request's fields is read, and which statements of a length are refused. */
import t from 'tap';
import type { RequestFields } from '../../../src/http/semantics/request.js';
import { readRequestFields } from '../../../src/http/wire/request-fields.js';

function read(...fields: readonly (readonly [string, string])[]): RequestFields {
  return readRequestFields({
    forEach(hear) {
      for (const [name, value] of fields) hear(name, value);
    },
  });
}

void t.test('joins the lines of a list, in their order', (t) => {
  const fields = read(
    ['host', 'a'],
    ['if-none-match', '"a"'],
    ['accept-encoding', 'br'],
    ['if-none-match', '"b"'],
    ['accept-encoding', 'gzip'],
  );
  t.match(fields, { ifNoneMatch: '"a","b"', acceptEncoding: 'br,gzip', ifModifiedSince: '' });
  t.end();
});

void t.test('takes no field for another, whatever its name', (t) => {
  const names = ['constructor', '__proto__', 'tostring', 'content', 'acceptencoding', ''];
  t.same(read(...names.map((name) => [name, 'x'] as const)), read());
  t.end();
});

void t.test('tells whether there is content, and whether that is clear', (t) => {
  const length = 'content-length';
  const coding = 'transfer-encoding';
  const cases: readonly [RequestFields['content'], ...(readonly [string, string])[]][] = [
    ['none'],
    ['none', [length, '0']],
    ['stated', [length, '5']],
    ['stated', [length, '00']],
    ['stated', [coding, 'chunked']],
    ['stated', [coding, 'Chunked']],
    ['malformed', [length, '']],
    ['malformed', [length, '-1']],
    ['malformed', [length, '0'], [length, '0']],
    ['malformed', [length, '0'], [length, '5']],
    ['malformed', [length, ''], [length, '5']],
    ['malformed', [length, '5'], [length, '']],
    ['malformed', [length, '5'], [coding, 'chunked']],
    ['malformed', [length, '0'], [coding, 'chunked']],
    ['malformed', [coding, '']],
    ['malformed', [coding, ''], [coding, 'chunked']],
    ['malformed', [coding, 'chunked'], [coding, 'chunked']],
    ['malformed', [coding, 'gzip, chunked']],
    ['malformed', [coding, 'identity']],
  ];
  for (const [content, ...fields] of cases) {
    t.equal(read(...fields).content, content, JSON.stringify(fields));
  }
  t.end();
});
