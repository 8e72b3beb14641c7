/** Asks again with conditions, a range, or another method, and compares with the whole answer. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { fieldOf, type Answer, type Connection } from '../support/service/connection.js';
import { FIELD_NAMES, spelled, valuesOf } from './http-choices.js';
import { predict, prefersGzip, type Fields, type Predicted, type Whole } from './http-rules.js';
import type { Asked } from './request.js';

type Door = Pick<Connection, 'ask'>;

/** The whole answer in the preferred coding: the one that the oracle's is compared with. */
export async function askWhole(door: Door, target: string, { choices }: Asked): Promise<Answer> {
  const fields = spelled({ 'Accept-Encoding': choices['Accept-Encoding'] }, choices.form);
  return await door.ask({ target, fields });
}

/** @returns what is wrong with the other answers to this request. */
export async function exchangeProblem(
  door: Door,
  {
    asked,
    target,
    coded,
  }: { readonly asked: Asked; readonly target: string; readonly coded: Answer },
): Promise<string | undefined> {
  const plain = await door.ask({ target });
  const isFile = asked.choices.endpoint.startsWith('bulk');
  const problem = codingProblem(asked.choices['Accept-Encoding'], { coded, plain, isFile });
  if (problem !== undefined) return problem;
  const fields = requestFields(asked, { coded, plain, isFile });
  const { method } = asked.choices;
  const answer = await door.ask({ target, method, fields: spelled(fields, asked.choices.form) });
  const predicted = predict(method, fields, { coded, plain, isFile });
  const wrong = answerProblem(method, answer, predicted);
  return wrong && `${method} ${JSON.stringify(fields)}: ${wrong}`;
}

/** The coding, and the answer in both codings. */
function codingProblem(accepted: string, { coded, plain, isFile }: Whole): string | undefined {
  if (fieldOf(plain, 'content-encoding') !== undefined) return 'a coding that is not accepted';
  const isGzip = fieldOf(coded, 'content-encoding') === 'gzip';
  if (isGzip && !prefersGzip(accepted)) return `gzip for Accept-Encoding: ${accepted}`;
  if (!isGzip) {
    const vary = fieldOf(coded, 'vary') ?? '';
    // Spreadsheets are compressed already.
    const isSpreadsheet = /document/.test(fieldOf(coded, 'content-type') ?? '');
    const isCompressible =
      coded.status === 200 && vary.includes('Accept-Encoding') && !isSpreadsheet;
    if (isCompressible && prefersGzip(accepted) && isLarge(coded)) {
      return `no gzip for Accept-Encoding: ${accepted}`;
    }
    return wholeProblem(coded, plain);
  }
  if (coded.body.length >= plain.body.length) return 'a gzip form that is not smaller';
  const own = ['content-encoding', 'content-length', ...(isFile ? ['etag', 'repr-digest'] : [])];
  return wholeProblem({ ...coded, body: gunzipSync(coded.body) }, plain, own);
}

/** Whether gzip surely makes a body smaller. */
function isLarge({ body }: Answer): boolean {
  return body.length >= 1024 && gzipSync(body).length < body.length * 0.9;
}

function requestFields({ choices, shares }: Asked, { coded, plain }: Whole): Fields {
  const tag = (answer: Answer): string => fieldOf(answer, 'etag') ?? '"none"';
  const values = valuesOf({
    coded: tag(coded),
    plain: tag(plain),
    modified: fieldOf(coded, 'last-modified') ?? '',
    length: plain.body.length,
    shares,
  });
  const filled = (template: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (_braces, word: string) => values.get(word) ?? '');
  return Object.fromEntries(
    FIELD_NAMES.filter((name) => choices[name] !== '').map((name) => [name, filled(choices[name])]),
  );
}

function answerProblem(method: string, answer: Answer, predicted: Predicted): string | undefined {
  const { status } = predicted.status === 'whole' ? predicted.whole : predicted;
  if (answer.status !== status) return `status ${answer.status}, not ${status}`;
  if (method === 'HEAD' && answer.body.length > 0) return 'an answer to HEAD with a body';
  switch (predicted.status) {
    case 204:
      return fieldsProblem(answer, { allow: ALLOWED, 'access-control-allow-origin': '*' });
    case 405:
      return refusalProblem(answer, 'Method Not Allowed', { allow: ALLOWED });
    case 412:
      return refusalProblem(answer, 'Precondition Failed');
    case 416: {
      const fields = { 'content-range': `bytes */${predicted.length}` };
      return refusalProblem(answer, 'Range Not Satisfiable', fields);
    }
    case 304: {
      const repeated = REPEATED.map((name) => [name, fieldOf(predicted.whole, name)] as const);
      return fieldsProblem(answer, Object.fromEntries(repeated));
    }
    case 206:
      return partProblem(answer, predicted);
    case 'whole': {
      const { whole } = predicted;
      return wholeProblem(method === 'HEAD' ? { ...answer, body: whole.body } : answer, whole);
    }
  }
}

const ALLOWED = 'GET, HEAD, OPTIONS';

/** Header fields of every error (docs/http-api/answers.md, "Errors" and "Caching"). */
export const REFUSED: Readonly<Record<string, string | undefined>> = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  etag: undefined,
  'last-modified': undefined,
  'content-encoding': undefined,
};

/** Header fields that a 304 repeats (RFC 9110 §15.4.5). */
const REPEATED = ['etag', 'cache-control', 'vary', 'last-modified', 'x-snapshot-id'];

/** The first header field with another value; undefined means an absent field. */
export function fieldsProblem(
  answer: Answer,
  expected: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const wrong = Object.keys(expected).find((name) => fieldOf(answer, name) !== expected[name]);
  return wrong && `${wrong}: ${fieldOf(answer, wrong)}, expected ${expected[wrong]}`;
}

function refusalProblem(
  answer: Answer,
  detail: string,
  fields: Readonly<Record<string, string>> = {},
): string | undefined {
  const body = JSON.stringify({ detail });
  const length = `${body.length}`;
  const text = answer.body.toString();
  const wrong = fieldsProblem(answer, { ...REFUSED, 'content-length': length, ...fields });
  return wrong ?? (text === body || text === '' ? undefined : `body ${text}, expected ${body}`);
}

function partProblem(
  answer: Answer,
  { whole, from, to }: Extract<Predicted, { readonly status: 206 }>,
): string | undefined {
  const part = whole.body.subarray(from, to + 1);
  const range = `bytes ${from}-${to}/${whole.body.length}`;
  const fields = { 'content-range': range, 'content-length': `${part.length}` };
  if (!answer.body.equals(part)) return `bytes other than ${range}`;
  return (
    fieldsProblem(answer, fields) ??
    wholeProblem({ ...answer, status: 200, body: whole.body }, whole, Object.keys(fields))
  );
}

/** Compares the body and all header fields, except for the date and `own` fields of the answer. */
function wholeProblem(
  answer: Answer,
  whole: Answer,
  own: readonly string[] = [],
): string | undefined {
  if (answer.status !== whole.status) return `status ${answer.status}, not ${whole.status}`;
  if (!answer.body.equals(whole.body)) return 'another body than that of the whole answer';
  const names = [...answer.fields, ...whole.fields]
    .map(([name]) => name.toLowerCase())
    .filter((name) => name !== 'date' && !own.includes(name));
  return fieldsProblem(
    answer,
    Object.fromEntries(names.map((name) => [name, fieldOf(whole, name)])),
  );
}
