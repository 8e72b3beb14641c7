/** Requests that have to be parsed, spread over iterations of the event loop. */
import { setImmediate as nextIteration } from 'node:timers/promises';
import t from 'tap';
import type { Answer } from '../../../src/http/semantics/answer.js';
import { headerBlock } from '../../../src/http/semantics/header-block.js';
import { ParseQuota } from '../../../src/http/wire/clients.js';

const ANSWER: Answer = { status: 204, headers: headerBlock([['Allow', 'GET']]) };

void t.test('answers only so many requests in one iteration, in their order', async (t) => {
  const quota = new ParseQuota(4);
  const answered: number[] = [];
  const ask = (number: number): void => {
    const respond = (): Answer => {
      answered.push(number);
      return ANSWER;
    };
    if (quota.acquire()) respond();
    else quota.later(respond);
  };
  for (let number = 0; number < 10; number += 1) ask(number);
  t.same(answered, [0, 1, 2, 3], 'the rest waits');
  await nextIteration();
  t.same(answered, [0, 1, 2, 3, 4, 5, 6, 7], 'one iteration later');
  ask(10);
  t.same(answered.length, 8, 'nobody gets ahead of those who wait');
  await nextIteration();
  t.same(answered, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await nextIteration();
  t.ok(quota.acquire(), 'a quiet iteration has room');
});
