/** The memory of finished bodies: it gives back what it was given, or nothing, and stays small. */
import fc from 'fast-check';
import t from 'tap';
import { HotAnswers, type HotAnswer } from '../../../src/http/answers/hot-answers.js';

const LIMIT_BYTES = 8 * 1024;

const key = fc.integer({ min: 0, max: 30 }).map((number) => `/${number}/stations`);

type Step =
  | { readonly kind: 'get'; readonly key: string }
  | { readonly kind: 'remember'; readonly key: string; readonly answer: HotAnswer }
  | { readonly kind: 'clear' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: key.map((one): Step => ({ kind: 'get', key: one })) },
  {
    weight: 10,
    arbitrary: fc
      .record({
        key,
        coding: fc.constantFrom('gzip' as const, 'identity' as const),
        body: fc.uint8Array({ maxLength: 900 }),
      })
      .map(({ key: one, ...answer }): Step => ({ kind: 'remember', key: one, answer })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'clear' }) },
);

void t.test('gives back the last answer that was remembered, or none', (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const hot = new HotAnswers(LIMIT_BYTES);
      const last = new Map<string, HotAnswer>();
      return steps.every((one) => {
        if (one.kind === 'clear') {
          hot.clear();
          last.clear();
          return true;
        }
        if (one.kind === 'remember') {
          hot.remember(one.key, one.answer);
          last.set(one.key, { ...one.answer, body: Uint8Array.from(one.answer.body) });
          return isSame(hot.get(one.key), last.get(one.key));
        }
        const found = hot.get(one.key);
        return found === undefined || isSame(found, last.get(one.key));
      });
    }),
  );
  t.end();
});

void t.test('keeps its own copy', (t) => {
  const hot = new HotAnswers(LIMIT_BYTES);
  const body = Uint8Array.of(1, 2, 3);
  hot.remember('/meta', { coding: 'identity', body });
  body.fill(0);
  t.same(hot.get('/meta')?.body, Uint8Array.of(1, 2, 3));
  t.end();
});

void t.test('forgets what nobody asks for, and keeps what everybody does', (t) => {
  const hot = new HotAnswers(LIMIT_BYTES);
  const answer: HotAnswer = { coding: 'gzip', body: new Uint8Array(500) };
  hot.remember('/wanted', answer);
  hot.remember('/once', answer);
  for (let number = 0; number < 100; number += 1) {
    hot.remember(`/${number}`, answer);
    t.ok(hot.get('/wanted'), `after ${number}`);
  }
  t.equal(hot.get('/once'), undefined);
  t.end();
});

void t.test('does not remember what is too long, or too large', (t) => {
  const hot = new HotAnswers(LIMIT_BYTES);
  const long = `/meta?${'x'.repeat(300)}`;
  hot.remember(long, { coding: 'gzip', body: Uint8Array.of(1) });
  t.equal(hot.get(long), undefined);
  hot.remember('/large', { coding: 'gzip', body: new Uint8Array(LIMIT_BYTES) });
  t.equal(hot.get('/large'), undefined);
  hot.remember('/small', { coding: 'gzip', body: Uint8Array.of(2) });
  t.same(hot.get('/small')?.body, Uint8Array.of(2), 'and goes on with others');
  t.end();
});

function isSame(one: HotAnswer | undefined, other: HotAnswer | undefined): boolean {
  return (
    one?.coding === other?.coding && Buffer.from(one?.body ?? []).equals(other?.body ?? Buffer.of())
  );
}
