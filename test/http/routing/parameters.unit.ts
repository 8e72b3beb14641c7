/** Text to exact values: what is an integer, a choice, a flag; and how anything else is reported. */
import fc from 'fast-check';
import t from 'tap';
import { endpoint } from '../../../src/http/routing/endpoint.js';
import {
  flag,
  integer,
  oneOf,
  parseParameters,
  refusedWith,
  type Parameters,
} from '../../../src/http/routing/parameters.js';
import { casesOf } from '../../support/readers/cases.js';

const about = { description: 'of a test' };
const id = integer('path', about);

void t.test('every integer is one in its plain digits', async () => {
  fc.assert(
    fc.property(fc.bigInt(), (number) => {
      const parsed = id.parse(String(number));
      return parsed.ok && parsed.value === Number(number);
    }),
  );
});

void t.test('nothing else is an integer', async (t) => {
  for (const text of casesOf('refused', 'integers')) {
    const parsed = id.parse(text);
    t.match(parsed, { ok: false, problem: { type: 'int_parsing' } }, JSON.stringify(text));
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const isPlain = /^[-0-9]+$/.test(text) && text !== '-0' && text === String(BigInt(text));
      return id.parse(text).ok === isPlain;
    }),
  );
});

void t.test('a choice is spelled exactly', async (t) => {
  const choice = oneOf(['1h', '1d', '7d'], about);
  t.same(choice.parse('1d'), { ok: true, value: '1d' });
  for (const text of ['1D', ' 1d', '1d,7d', 'constructor', '__proto__']) {
    t.same(choice.parse(text), {
      ok: false,
      problem: {
        type: 'enum',
        msg: "Input should be '1h', '1d' or '7d'",
        ctx: { expected: "'1h', '1d' or '7d'" },
      },
    });
  }
  t.match(choice.parse(''), { ok: false, problem: { type: 'missing' } });
});

void t.test('a flag is true, false, 1 or 0 in any case, or what it is without', async (t) => {
  for (const fallback of [true, false]) {
    const parameter = flag(fallback, about);
    for (const text of ['true', 'TRUE', 'True', '1']) {
      t.same(parameter.parse(text), { ok: true, value: true });
    }
    for (const text of ['false', 'FALSE', 'fAlse', '0']) {
      t.same(parameter.parse(text), { ok: true, value: false });
    }
    t.same(parameter.parse(''), { ok: true, value: fallback });
    t.equal(parameter.absent, fallback);
    for (const text of ['yes', '2', '01', 'truefalse', 'on', 'true\n']) {
      t.match(parameter.parse(text), { ok: false, problem: { type: 'bool_parsing' } }, text);
    }
  }
});

void t.test('every problem is told, with its place and what was given', async (t) => {
  const parsed = parse(
    '/{first}/{second}',
    { first: id, second: id, third: integer('query', about), deep: flag(false, about) },
    { path: '/x%E2%80%A8/7', query: 'deep=maybe' },
  );
  t.match(parsed, {
    ok: false,
    refusal: {
      kind: 'invalid',
      problems: [
        { loc: ['path', 'first'], type: 'int_parsing', input: 'x\u2028' },
        { loc: ['query', 'third'], type: 'missing', msg: 'Field required' },
        { loc: ['query', 'deep'], type: 'bool_parsing', input: 'maybe' },
      ],
    },
  });
});

void t.test('where a parameter has an error of its own, that one is answered', async (t) => {
  const parameters = refusedWith('bad_request', { window: oneOf(['1h', '1d'], about) });
  const refused = { ok: false, refusal: { kind: 'error', code: 'bad_request' }, ignores: false };
  for (const query of ['', 'window=', 'window=1d&window=2h']) {
    t.same(parse('/', parameters, { path: '/', query }), refused);
  }
  const parsed = parse('/', parameters, { path: '/', query: 'window=2h&window=1h' });
  t.same(parsed, { ok: true, values: { window: '1h' }, ignores: false });
});

/** Parses a request for an endpoint with these parameters. */
function parse(
  path: `/${string}`,
  parameters: Parameters,
  request: { readonly path: string; readonly query: string },
): unknown {
  const resolve = (): never => {
    throw new Error('nothing is resolved');
  };
  return parseParameters(endpoint({ path, parameters, caching: 'none', resolve }), request);
}
