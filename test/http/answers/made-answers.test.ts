/** Answers that workers make: asked for once, cached in each content coding, made again after a failure. */
import t from 'tap';
import { AnswerCache } from '../../../src/http/answers/answer-cache.js';
import { MadeAnswers, type AnswerJob } from '../../../src/http/answers/made-answers.js';
import type { Answer } from '../../../src/http/semantics/answer.js';
import { WorkerPool } from '../../../src/workers/pool.js';
import type { Plan } from '../../../src/workers/messages.js';

const TAG = 'W/"snapshot-build"';
const pool = new WorkerPool({ threads: 1, maxQueue: 4 });

function createAnswers(): MadeAnswers<undefined> {
  return new MadeAnswers({
    pool,
    cache: new AnswerCache(),
    location: undefined,
    source: undefined,
    validatorsOf: (variant) => ({
      entityTag: variant === undefined ? TAG : `${TAG.slice(0, -1)}.${variant}"`,
      lastModified: undefined,
    }),
    fieldsOf: (validators) => [['ETag', validators?.entityTag ?? '']],
  });
}

/** A job that counts how often it runs; its answer says in which coding it was asked for. */
function countedJob(options: Partial<AnswerJob<undefined>> = {}): {
  readonly job: AnswerJob<undefined>;
  readonly runs: () => number;
} {
  let runs = 0;
  const job: AnswerJob<undefined> = {
    key: '/list {}',
    fields: [['Content-Type', 'application/json']],
    run: async (_pool, { gzip }) => {
      runs += 1;
      return await Promise.resolve(planOf(gzip ? 'gzip' : 'identity'));
    },
    ...options,
  };
  return { job, runs: () => runs };
}

function planOf(text: 'gzip' | 'identity'): Plan {
  const bytes = Buffer.from(text);
  return {
    coding: text,
    records: 7,
    totalBytes: bytes.byteLength,
    chunks: [{ kind: 'bytes', bytes }],
  };
}

const PLAIN = { gzip: false, ifNoneMatch: '', ifModifiedSince: '' };
const GZIP = { ...PLAIN, gzip: true };

function textOf({ body }: Answer): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString() : '';
}

void t.test('clients that ask for the same at once share one job', async (t) => {
  const answers = createAnswers();
  const { job, runs } = countedJob();
  const all = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, index) =>
        await answers.answer({ job, cacheKey: `target ${index}`, preferences: PLAIN }),
    ),
  );
  t.equal(runs(), 1);
  t.ok(all.every((answer) => answer === all[0]));
  const later = answers.answer({ job, cacheKey: 'target 99', preferences: PLAIN });
  t.notOk(later instanceof Promise, 'and who asks later has it at once');
  t.equal(runs(), 1);
});

void t.test('each content coding is made once, and says what it is', async (t) => {
  const answers = createAnswers();
  const { job, runs } = countedJob();
  for (const [preferences, text] of [
    [PLAIN, 'identity'],
    [GZIP, 'gzip'],
    [GZIP, 'gzip'],
  ] as const) {
    const answer = await answers.answer({ job, cacheKey: text, preferences });
    t.equal(textOf(answer), text);
    const header = Buffer.from(answer.headers.rest).toString();
    t.equal(header.includes('Content-Encoding: gzip'), text === 'gzip');
    t.match(header, 'X-Record-Count: 7');
  }
  t.equal(runs(), 2);
});

void t.test('what is compressed inside is the same for everybody', async (t) => {
  const answers = createAnswers();
  const { job, runs } = countedJob({ precompressed: true });
  const one = await answers.answer({ job, cacheKey: 'a', preferences: GZIP });
  const other = await answers.answer({ job, cacheKey: 'b', preferences: PLAIN });
  t.equal(textOf(one), 'identity');
  t.equal(one, other);
  t.equal(runs(), 1);
});

void t.test('a client that has it already is told so without a job', (t) => {
  const answers = createAnswers();
  const { job, runs } = countedJob({ variant: 'of-a-page' });
  const current = { ...PLAIN, ifNoneMatch: 'W/"snapshot-build.of-a-page"' };
  const answer = answers.answer({ job, cacheKey: 'a', preferences: current });
  t.match(answer, { status: 304, body: undefined });
  t.equal(runs(), 0);
  t.end();
});

void t.test('a failure is not cached: the next client has it made again', async (t) => {
  const answers = createAnswers();
  let fails = true;
  const { job } = countedJob({
    run: async () => {
      await Promise.resolve();
      if (fails) throw new Error('out of luck');
      return planOf('identity');
    },
  });
  const ask = async (): Promise<Answer> =>
    await answers.answer({ job, cacheKey: 'a', preferences: PLAIN });
  await t.rejects(ask(), { message: 'out of luck' });
  fails = false;
  t.equal(textOf(await ask()), 'identity');
});
