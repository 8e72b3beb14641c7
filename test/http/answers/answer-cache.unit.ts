/** The cache of answers: it gives back what was put into it, or nothing, and stays within its limit. */
import fc from 'fast-check';
import t from 'tap';
import { CachedAnswers, type CacheKey } from '../../../src/http/answers/answer-cache.js';
import {
  representation,
  sharedHeaders,
  type Representation,
} from '../../../src/http/semantics/representation.js';

const plain = (target: string): CacheKey => ({ target, variant: 'identity' });

function find(cache: CachedAnswers, { target, variant }: CacheKey): Representation | undefined {
  return cache.get(target)?.get(variant);
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
  const key = fc.record({
    target: fc.integer({ min: 0, max: 20 }).map((number) => `/${number}/stations`),
    variant: fc.constantFrom('gzip', 'identity'),
  });
  const step = fc.record({ key, put: fc.boolean(), mebibytes: fc.integer({ min: 0, max: 20 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = new CachedAnswers();
      const last = new Map<string, Representation>();
      return steps.every(({ key: one, put, mebibytes }) => {
        if (put) {
          const answer = answerOf(mebibytes * 1000);
          cache.add(one, answer);
          last.set(JSON.stringify(one), answer);
        }
        const found = find(cache, one);
        return found === undefined ? !put : found === last.get(JSON.stringify(one));
      });
    }),
  );
});

void t.test('drops what nobody asks for, and keeps what everybody does', async (t) => {
  const cache = new CachedAnswers();
  const answer = answerOf(MEBIBYTE);
  cache.add(plain('/wanted'), answer);
  cache.add(plain('/once'), answer);
  for (let number = 0; number < 100; number += 1) {
    cache.add(plain(`/${number}`), answer);
    t.equal(find(cache, plain('/wanted')), answer, `after ${number}`);
  }
  t.equal(find(cache, plain('/once')), undefined);
});

void t.test('does not take what is too long to be asked for twice, or too large', async (t) => {
  const cache = new CachedAnswers();
  const long = `/meta?${'x'.repeat(600)}`;
  cache.add(plain(long), answerOf(1));
  t.equal(find(cache, plain(long)), undefined);
  cache.add(plain('/large'), answerOf(65 * MEBIBYTE));
  t.equal(find(cache, plain('/large')), undefined);
  const small = answerOf(1);
  cache.add(plain('/small'), small);
  t.equal(find(cache, plain('/small')), small, 'and goes on with others');
});
