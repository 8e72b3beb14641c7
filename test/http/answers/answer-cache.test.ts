/** The cache of answers: it gives back what was put into it, or nothing, and stays within its limit. */
import fc from 'fast-check';
import t from 'tap';
import { cacheOfAnswers } from '../../../src/http/answers/answer-cache.js';
import {
  family,
  representation,
  type Representation,
} from '../../../src/http/semantics/representation.js';

const MEBIBYTE = 1024 * 1024;

function answerOf(sizeBytes: number): Representation {
  const body = new Uint8Array(sizeBytes);
  return representation(
    family(undefined, [['Vary', 'Accept-Encoding']]),
    [['Content-Type', 'application/json']],
    body,
  );
}

void t.test('gives back the last answer that was put in, or none', (t) => {
  const key = fc.integer({ min: 0, max: 30 }).map((number) => `/${number}/stations`);
  const step = fc.record({ key, put: fc.boolean(), mebibytes: fc.integer({ min: 0, max: 20 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = cacheOfAnswers();
      const last = new Map<string, Representation>();
      return steps.every(({ key: one, put, mebibytes }) => {
        if (put) {
          const answer = answerOf(mebibytes * 1000);
          cache.set(one, answer);
          last.set(one, answer);
        }
        const found = cache.get(one);
        return found === undefined ? !put : found === last.get(one);
      });
    }),
  );
  t.end();
});

void t.test('drops what nobody asks for, and keeps what everybody does', (t) => {
  const cache = cacheOfAnswers();
  const answer = answerOf(MEBIBYTE);
  cache.set('/wanted', answer);
  cache.set('/once', answer);
  for (let number = 0; number < 100; number += 1) {
    cache.set(`/${number}`, answer);
    t.equal(cache.get('/wanted'), answer, `after ${number}`);
  }
  t.equal(cache.get('/once'), undefined);
  t.end();
});

void t.test('does not take what is too long to be asked for twice, or too large', (t) => {
  const cache = cacheOfAnswers();
  const long = `/meta?${'x'.repeat(600)}`;
  cache.set(long, answerOf(1));
  t.equal(cache.get(long), undefined);
  cache.set('/large', answerOf(65 * MEBIBYTE));
  t.equal(cache.get('/large'), undefined);
  const small = answerOf(1);
  cache.set('/small', small);
  t.equal(cache.get('/small'), small, 'and goes on with others');
  t.end();
});
