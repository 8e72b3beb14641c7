/** Answers that jobs render: asked for once, cached in each content coding, made again after a failure, given up alone. */
import t from 'tap';
import {
  AnswerCache,
  RenderedAnswers,
  type JobAnswer,
  type JobRequest,
} from '../../../src/http/answers/rendered-answers.js';
import { PendingAnswer, type Answer } from '../../../src/http/semantics/answer.js';
import { sharedHeaders } from '../../../src/http/semantics/representation.js';
import type { DocumentJob } from '../../../src/workers/messages.js';
import { PoolBusyError, WorkerPool, type JobRunner } from '../../../src/workers/pool.js';
import type { Plan } from '../../../src/snapshot/local/plan.js';

const TAG = 'W/"snapshot-build"';
const pool = new WorkerPool({ threads: 1 });

type Run = (runner: JobRunner, job: DocumentJob, gzip: boolean) => Promise<Plan>;

/** Its plans say in which coding they were asked for. */
const makePlan: Run = async (_runner, _job, gzip) =>
  await Promise.resolve(planOf(gzip ? 'gzip' : 'identity'));

/** Counts how often a job runs. */
function createAnswers(make = makePlan): {
  readonly answers: RenderedAnswers<DocumentJob>;
  readonly runs: () => number;
} {
  let runs = 0;
  const answers = new RenderedAnswers<DocumentJob>({
    pool,
    cache: new AnswerCache(),
    snapshot: undefined,
    openSource: () => undefined,
    run: async (...of) => {
      runs += 1;
      return await make(...of);
    },
    onFailure: () => undefined,
    headers: sharedHeaders({ entityTag: TAG, lastModified: undefined }, [['ETag', TAG]]),
    variantHeaders: ({ variant = '' }) => {
      const entityTag = `${TAG.slice(0, -1)}.${variant}"`;
      return sharedHeaders({ entityTag, lastModified: undefined }, [['ETag', entityTag]]);
    },
  });
  return { answers, runs: () => runs };
}

function documentAt(baseUrl: string): JobAnswer<DocumentJob> {
  return {
    job: { kind: 'render-site-document', task: { name: 'openapi.json', baseUrl } },
    fields: [['Content-Type', 'application/json']],
  };
}

const DOCUMENT = documentAt('http://localhost');

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

/** Of one client. */
function requestOf(cacheKey: string, preferences = PLAIN): JobRequest {
  return { cacheKey, preferences, request: { client: 'one' } };
}

/** Asks, and waits where a worker has to make the answer. */
async function ask(
  answers: RenderedAnswers<DocumentJob>,
  wanted: JobAnswer<DocumentJob>,
  request: JobRequest,
): Promise<Answer> {
  const answer = answers.answer(wanted, request);
  return answer instanceof PendingAnswer ? await answer.promise : answer;
}

function textOf({ body }: Answer): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString() : '';
}

void t.test('clients that ask for the same at once share one job', async (t) => {
  const { answers, runs } = createAnswers();
  const all = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, index) => await ask(answers, DOCUMENT, requestOf(`target ${index}`)),
    ),
  );
  t.equal(runs(), 1);
  t.ok(all.every(({ body }) => body === all[0]?.body));
  const answer = answers.answer(DOCUMENT, requestOf('target 99'));
  t.ok(!(answer instanceof PendingAnswer), 'and who asks later has it at once');
  t.equal(answer instanceof PendingAnswer ? undefined : answer.body, all[0]?.body);
  t.equal(runs(), 1);
});

void t.test('each content coding is made once, and says what it is', async (t) => {
  const { answers, runs } = createAnswers();
  for (const [preferences, text] of [
    [PLAIN, 'identity'],
    [GZIP, 'gzip'],
    [GZIP, 'gzip'],
  ] as const) {
    const answer = await ask(answers, DOCUMENT, requestOf(text, preferences));
    t.equal(textOf(answer), text);
    const header = Buffer.from(answer.headers.rest).toString();
    t.equal(header.includes('Content-Encoding: gzip'), text === 'gzip');
    t.match(header, 'X-Record-Count: 7');
  }
  t.equal(runs(), 2);
});

void t.test('what is compressed inside is the same for everybody', async (t) => {
  const { answers, runs } = createAnswers();
  const wanted = { ...DOCUMENT, precompressed: true };
  const one = await ask(answers, wanted, requestOf('a', GZIP));
  const other = await ask(answers, wanted, requestOf('b'));
  t.equal(textOf(one), 'identity');
  t.equal(one.body, other.body);
  t.equal(runs(), 1);
});

void t.test('a client that has it already is told so without a job', async (t) => {
  const { answers, runs } = createAnswers();
  const current = { ...PLAIN, ifNoneMatch: 'W/"snapshot-build.of-a-page"' };
  const answer = answers.answer({ ...DOCUMENT, variant: 'of-a-page' }, requestOf('a', current));
  t.match(answer, { status: 304, body: undefined });
  t.equal(runs(), 0);
});

void t.test('a failure is not cached: the next client has it made again', async (t) => {
  let fails = true;
  const { answers } = createAnswers(async () => {
    await Promise.resolve();
    if (fails) throw new Error('out of luck');
    return planOf('identity');
  });
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => {
    failures.push(error);
  };
  const wanted = { ...DOCUMENT, onFailure };
  await t.rejects(ask(answers, wanted, requestOf('a')), { message: 'out of luck' });
  t.match(failures, [{ message: 'out of luck' }]);
  fails = false;
  t.equal(textOf(await ask(answers, wanted, requestOf('a'))), 'identity');
});

void t.test('an answer whose clients have all gone is not made until asked for', async (t) => {
  const asked: string[] = [];
  const { answers } = createAnswers(async (runner, job, gzip) => {
    if (job.kind !== 'render-site-document') throw new Error(`another job: ${job.kind}`);
    asked.push(job.task.baseUrl);
    await runner.run(job.kind, { ...job.task, location: undefined, gzip });
    return planOf('identity');
  });
  const ask = (target: string, client: string): PendingAnswer => {
    const answer = answers.answer(documentAt(target), {
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
