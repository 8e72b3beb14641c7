/** The cache of answers: it gives back what was put into it, or nothing, and stays within its limit. */
import fc from 'fast-check';
import t from 'tap';
import { AnswerCache } from '../../../src/http/answers/rendered-answers.js';
import {
  representation,
  sharedHeaders,
  type Representation,
} from '../../../src/http/semantics/representation.js';

/** An answer is stored at the latest when it is put in again. */
function put(cache: AnswerCache, key: string, answer: Representation): void {
  cache.add(key, answer);
  cache.add(key, answer);
}

const MEBIBYTE = 1024 * 1024;

function answerOf(sizeBytes: number): Representation {
  const body = new Uint8Array(sizeBytes);
  return representation(
    sharedHeaders(undefined, [['Vary', 'Accept-Encoding']]),
    [['Content-Type', 'application/json']],
    body,
  );
}

void t.test('gives back the last answer that was put in, or none', async () => {
  const key = fc.integer({ min: 0, max: 20 }).map((number) => `/${number}/stations`);
  const step = fc.record({ key, isPut: fc.boolean(), mebibytes: fc.integer({ min: 0, max: 20 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = new AnswerCache();
      const last = new Map<string, Representation>();
      return steps.every(({ key: one, isPut, mebibytes }) => {
        if (isPut) {
          const answer = answerOf(mebibytes * 1000);
          put(cache, one, answer);
          last.set(one, answer);
        }
        const found = cache.get(one);
        return found === undefined ? !isPut : found === last.get(one);
      });
    }),
  );
});

void t.test('drops what nobody asks for, and keeps what everybody does', async (t) => {
  const cache = new AnswerCache();
  const answer = answerOf(MEBIBYTE);
  put(cache, '/wanted', answer);
  put(cache, '/once', answer);
  for (let number = 0; number < 100; number += 1) {
    put(cache, `/${number}`, answer);
    t.equal(cache.get('/wanted'), answer, `after ${number}`);
  }
  t.equal(cache.get('/once'), undefined);
});

void t.test('does not take what is too long to be asked for twice, or too large', async (t) => {
  const cache = new AnswerCache();
  const long = `/meta?${'x'.repeat(600)}`;
  put(cache, long, answerOf(1));
  t.equal(cache.get(long), undefined);
  put(cache, '/large', answerOf(65 * MEBIBYTE));
  t.equal(cache.get('/large'), undefined);
  const small = answerOf(1);
  put(cache, '/small', small);
  t.equal(cache.get('/small'), small, 'and goes on with others');
});

void t.test('keeps half of its room from what is requested once', async (t) => {
  const cache = new AnswerCache();
  const answer = answerOf(1000);
  cache.add('/wanted', answer);
  t.equal(cache.get('/wanted'), answer, 'at once where there is room');
  for (let number = 0; number < 100_000; number += 1) cache.add(`/?_=${number}`, answer);
  t.ok(cache.calculatedSize < 0.51 * cache.maxSize);
  t.equal(cache.get('/wanted'), answer);
  const empty = new AnswerCache();
  for (let number = 0; number < 1000; number += 1) empty.add(`/?_=${number}`, answer, true);
  t.equal(empty.size, 0, 'and all of it from what is quickly made');
});
