/** Answers that workers make: asked for once, cached in each content coding, made again after a failure, given up alone. */
import t from 'tap';
import { CachedAnswers, CachedPlans } from '../../../src/http/answers/answer-cache.js';
import {
  MadeAnswers,
  type AnswerJob,
  type MadeRequest,
} from '../../../src/http/answers/made-answers.js';
import { PendingAnswer, type Answer } from '../../../src/http/semantics/answer.js';
import { sharedHeaders } from '../../../src/http/semantics/representation.js';
import { PoolBusyError, WorkerPool } from '../../../src/workers/pool.js';
import type { Plan } from '../../../src/snapshot/local/plan.js';

const TAG = 'W/"snapshot-build"';
const pool = new WorkerPool({ threads: 1 });

function createAnswers(): MadeAnswers<undefined> {
  return new MadeAnswers({
    pool,
    cache: new CachedAnswers(),
    plans: new CachedPlans(),
    location: undefined,
    source: undefined,
    onFailure: () => undefined,
    headers: sharedHeaders({ entityTag: TAG, lastModified: undefined }, [['ETag', TAG]]),
    variantHeaders: ({ variant = '' }) => {
      const entityTag = `${TAG.slice(0, -1)}.${variant}"`;
      return sharedHeaders({ entityTag, lastModified: undefined }, [['ETag', entityTag]]);
    },
  });
}

/** A job that counts how often it runs; its answer says in which coding it was asked for. */
function countedJob(options: Partial<AnswerJob<undefined>> = {}): {
  readonly job: AnswerJob<undefined>;
  readonly runs: () => number;
} {
  let runs = 0;
  const job: AnswerJob<undefined> = {
    key: () => '/list {}',
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

/** Asks, and waits where a worker has to make the answer. */
async function ask(
  answers: MadeAnswers<undefined>,
  request: Omit<MadeRequest<undefined>, 'request'>,
): Promise<Answer> {
  const answer = answers.answer({ request: { client: 'one' }, ...request });
  return answer instanceof PendingAnswer ? await answer.promise : answer;
}

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
        await ask(answers, { job, cacheKey: `target ${index}`, preferences: PLAIN }),
    ),
  );
  t.equal(runs(), 1);
  t.ok(all.every(({ body }) => body === all[0]?.body));
  const later = {
    job,
    cacheKey: 'target 99',
    preferences: PLAIN,
    request: { client: 'one' },
  };
  const answer = answers.answer(later);
  t.ok(!(answer instanceof PendingAnswer), 'and who asks later has it at once');
  t.equal(answer instanceof PendingAnswer ? undefined : answer.body, all[0]?.body);
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
    const answer = await ask(answers, { job, cacheKey: text, preferences });
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
  const one = await ask(answers, { job, cacheKey: 'a', preferences: GZIP });
  const other = await ask(answers, { job, cacheKey: 'b', preferences: PLAIN });
  t.equal(textOf(one), 'identity');
  t.equal(one.body, other.body);
  t.equal(runs(), 1);
});

void t.test('a client that has it already is told so without a job', async (t) => {
  const answers = createAnswers();
  const { job, runs } = countedJob({ variant: 'of-a-page' });
  const current = { ...PLAIN, ifNoneMatch: 'W/"snapshot-build.of-a-page"' };
  const answer = answers.answer({
    job,
    cacheKey: 'a',
    preferences: current,
    request: { client: 'one' },
  });
  t.match(answer, { status: 304, body: undefined });
  t.equal(runs(), 0);
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
  const request = { job, cacheKey: 'a', preferences: PLAIN };
  await t.rejects(ask(answers, request), { message: 'out of luck' });
  fails = false;
  t.equal(textOf(await ask(answers, request)), 'identity');
});

void t.test('an answer whose clients have all gone is not made until asked for', async (t) => {
  const answers = createAnswers();
  const asked: string[] = [];
  const ask = (target: string, client: string): PendingAnswer => {
    const job: AnswerJob<undefined> = {
      key: () => target,
      fields: [],
      run: async (runner, { gzip }) => {
        asked.push(target);
        const baseUrl = `http://localhost/${target}`;
        const task = { location: undefined, gzip, name: 'openapi.json', baseUrl } as const;
        await runner.run('render-site-document', task);
        return planOf('identity');
      },
    };
    const answer = answers.answer({
      job,
      cacheKey: target,
      preferences: PLAIN,
      request: { client },
    });
    if (!(answer instanceof PendingAnswer)) throw new Error(`${target} is cached`);
    return answer;
  };
  const begun = ask('begun', 'one');
  const gone = [ask('waiting', 'one'), ask('waiting', 'other')];
  const staying = ask('staying', 'one');
  const stays = ask('staying', 'other');
  staying.abandon();
  for (const { abandon } of gone) abandon();
  for (const { promise } of gone) await t.rejects(promise, PoolBusyError);
  const again = ask('waiting', 'one');
  t.equal(textOf(await begun.promise), 'identity');
  t.equal(textOf(await stays.promise), 'identity');
  t.equal(textOf(await staying.promise), 'identity', 'it was made for the other');
  t.equal(textOf(await again.promise), 'identity');
  t.same(asked, ['begun', 'waiting', 'staying', 'waiting']);
});
