/** Asks again with conditions, a range, or another method, and compares with the whole answer, by RFC 9110 and docs/http-api. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { fieldOf, type Answer, type Ask } from '../support/service/connection.js';
import { FIELD_NAMES, filled, spelled, type HttpChoices } from './http-choices.js';
import type { Asked } from './request.js';

interface Exchanged extends Pick<Asked, 'shares'> {
  readonly choices: HttpChoices & { readonly endpoint: string };
}

/** The whole answer in the preferred coding: the one that the oracle's is compared with. */
export async function askWhole(ask: Ask, target: string, { choices }: Exchanged): Promise<Answer> {
  const fields = { 'Accept-Encoding': choices['Accept-Encoding'] };
  return await ask(target, spelled(fields, choices.form));
}

type Fields = Readonly<Record<string, string>>;

type Expected = Readonly<Record<string, string | undefined>>;

interface Whole {
  readonly coded: Answer;
  readonly plain: Answer;
  /** Whether it is a bulk file: with ranges, and strong entity tags. */
  readonly isFile: boolean;
}

export async function exchangeProblem(
  ask: Ask,
  of: { readonly asked: Exchanged; readonly target: string; readonly coded: Answer },
): Promise<string | undefined> {
  const { asked, target, coded } = of;
  const { endpoint, method, form } = asked.choices;
  const whole = { coded, plain: await ask(target), isFile: endpoint.startsWith('bulk') };
  const problem = codingProblem(asked.choices['Accept-Encoding'], whole);
  if (problem !== undefined) return problem;
  const fields = requestFields(asked, whole);
  const answer = await ask(target, spelled(fields, form), method);
  const wrong = answerProblem(answer, { method, fields }, whole);
  return wrong && `${method} ${JSON.stringify(fields)}: ${wrong}`;
}

function codingProblem(accepted: string, { coded, plain, isFile }: Whole): string | undefined {
  if (fieldOf(plain, 'content-encoding') !== undefined) return 'a coding that is not accepted';
  const isGzip = fieldOf(coded, 'content-encoding') === 'gzip';
  if (isGzip && !prefersGzip(accepted)) return `gzip for Accept-Encoding: ${accepted}`;
  if (!isGzip) {
    const vary = fieldOf(coded, 'vary') ?? '';
    // Spreadsheets are compressed already.
    const isSpreadsheet = /document/.test(fieldOf(coded, 'content-type') ?? '');
    const isText = coded.status === 200 && vary.includes('Accept-Encoding') && !isSpreadsheet;
    const isExpected = isText && prefersGzip(accepted) && isLarge(coded);
    return isExpected ? `no gzip for Accept-Encoding: ${accepted}` : wholeProblem(coded, plain);
  }
  if (coded.body.length >= plain.body.length) return 'a gzip form that is not smaller';
  const own = ['content-encoding', 'content-length', ...(isFile ? ['etag', 'repr-digest'] : [])];
  return wholeProblem({ ...coded, body: plainBody(coded) }, plain, own);
}

export function plainBody(answer: Answer): Buffer {
  return fieldOf(answer, 'content-encoding') === 'gzip' ? gunzipSync(answer.body) : answer.body;
}

function isLarge({ body }: Answer): boolean {
  return body.length >= 1024 && gzipSync(body).length < body.length * 0.9;
}

function requestFields({ choices, shares }: Exchanged, { coded, plain }: Whole): Fields {
  const tag = (answer: Answer): string => fieldOf(answer, 'etag') ?? '"none"';
  const quoted = tag(coded).replace(/^W\//, '');
  const opaque = quoted.replaceAll('"', '');
  const tags = { coded: tag(coded), plain: tag(plain), quoted, opaque };
  const modifiedMs = Date.parse(fieldOf(coded, 'last-modified') ?? '');
  const date = (ms: number): string => new Date(modifiedMs + ms).toUTCString();
  const dates = { date: date(0), later: date(86_400_000), earlier: date(-1000) };
  const { length } = plain.body;
  const [from = 0, to = 0] = shares.map((share) => Math.floor(share * length));
  const bytes = { from, to, length, last: length - 1, beyond: length + 7, rest: length - from };
  const names = FIELD_NAMES.filter((name) => choices[name] !== '');
  const values = { ...tags, ...dates, ...bytes };
  return Object.fromEntries(names.map((name) => [name, filled(choices[name], values)]));
}

function answerProblem(
  answer: Answer,
  { method, fields }: { readonly method: string; readonly fields: Fields },
  { coded, plain, isFile }: Whole,
): string | undefined {
  if (method === 'HEAD' && answer.body.length > 0) return 'an answer to HEAD with a body';
  if (method === 'OPTIONS') {
    const allowed = { allow: ALLOWED, 'access-control-allow-origin': '*' };
    return statusProblem(answer, 204) ?? fieldsProblem(answer, allowed);
  }
  if (method !== 'GET' && method !== 'HEAD') {
    return refusalProblem(answer, [405, 'Method Not Allowed'], { allow: ALLOWED });
  }
  const range = method === 'GET' && isFile ? fields['Range'] : undefined;
  // Ranges are those of the plain file (docs/http-api/files.md, "Ranges").
  const whole = range === undefined ? coded : plain;
  const failed = whole.status === 200 ? failedCondition(fields, whole, isFile) : undefined;
  if (failed === 412) return refusalProblem(answer, [412, 'Precondition Failed']);
  if (failed === 304) {
    return statusProblem(answer, 304) ?? fieldsProblem(answer, fieldsOf(whole, REPEATED));
  }
  const isRanged = whole.status === 200 && isCurrent(fields['If-Range'], whole);
  const part = isRanged && range !== undefined ? partOf(range, whole.body.length) : undefined;
  if (part !== undefined) return partProblem(answer, whole, part);
  return wholeProblem(method === 'HEAD' ? { ...answer, body: whole.body } : answer, whole);
}

const ALLOWED = 'GET, HEAD, OPTIONS';

/** Header fields of every error (docs/http-api/answers.md, "Errors" and "Caching"). */
export const REFUSED: Expected = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  etag: undefined,
  'last-modified': undefined,
  'content-encoding': undefined,
};

/** Header fields that a 304 repeats (RFC 9110 §15.4.5). */
const REPEATED = ['etag', 'cache-control', 'vary', 'last-modified', 'x-snapshot-id'];

export function statusProblem(answer: Answer, status: number): string | undefined {
  return answer.status === status ? undefined : `status ${answer.status}, not ${status}`;
}

function fieldsOf(answer: Answer, names: readonly string[]): Expected {
  return Object.fromEntries(names.map((name) => [name, fieldOf(answer, name)]));
}

/** The first header field with another value; undefined means an absent field. */
export function fieldsProblem(answer: Answer, expected: Expected): string | undefined {
  const wrong = Object.keys(expected).find((name) => fieldOf(answer, name) !== expected[name]);
  return wrong && `${wrong}: ${fieldOf(answer, wrong)}, expected ${expected[wrong]}`;
}

function refusalProblem(
  answer: Answer,
  [status, detail]: readonly [number, string],
  fields: Fields = {},
): string | undefined {
  const body = JSON.stringify({ detail });
  const own = { 'content-length': `${body.length}`, ...fields };
  const text = answer.body.toString();
  const wrong = statusProblem(answer, status) ?? fieldsProblem(answer, { ...REFUSED, ...own });
  return wrong ?? (text === body || text === '' ? undefined : `body ${text}, expected ${body}`);
}

function partProblem(
  answer: Answer,
  whole: Answer,
  [from, to]: readonly [number, number],
): string | undefined {
  const { length } = whole.body;
  if (from >= length) {
    const fields = { 'content-range': `bytes */${length}` };
    return refusalProblem(answer, [416, 'Range Not Satisfiable'], fields);
  }
  const part = whole.body.subarray(from, to + 1);
  const range = `bytes ${from}-${to}/${length}`;
  const fields = { 'content-range': range, 'content-length': `${part.length}` };
  const wrong = statusProblem(answer, 206) ?? fieldsProblem(answer, fields);
  if (wrong !== undefined) return wrong;
  if (!answer.body.equals(part)) return `bytes other than ${range}`;
  return wholeProblem({ ...answer, status: 200, body: whole.body }, whole, Object.keys(fields));
}

/** Compares the body and all header fields, except for the date and `own` fields of the answer. */
function wholeProblem(
  answer: Answer,
  whole: Answer,
  own: readonly string[] = [],
): string | undefined {
  const wrong = statusProblem(answer, whole.status);
  if (wrong !== undefined) return wrong;
  if (!answer.body.equals(whole.body)) return 'another body than that of the whole answer';
  const names = [...answer.fields, ...whole.fields].map(([name]) => name.toLowerCase());
  const compared = names.filter((name) => name !== 'date' && !own.includes(name));
  return fieldsProblem(answer, fieldsOf(whole, compared));
}

/** Conditions in their order (RFC 9110 §13.2.2). */
function failedCondition(fields: Fields, whole: Answer, isFile: boolean): 304 | 412 | undefined {
  const tag = fieldOf(whole, 'etag') ?? '';
  const match = fields['If-Match'];
  const isStrong = !tag.startsWith('W/') && tagsOf(match ?? '').includes(tag);
  if (isFile && match !== undefined && match !== '*' && !isStrong) return 412;
  const modifiedMs = httpDate(fieldOf(whole, 'last-modified'));
  const unchangedMs = httpDate(fields['If-Unmodified-Since']);
  const isNewer = unchangedMs !== undefined && modifiedMs !== undefined && modifiedMs > unchangedMs;
  if (isFile && match === undefined && isNewer) return 412;
  const noneMatch = fields['If-None-Match'];
  if (noneMatch !== undefined) {
    const tags = tagsOf(noneMatch).map(opaque);
    return noneMatch === '*' || tags.includes(opaque(tag)) ? 304 : undefined;
  }
  const sinceMs = httpDate(fields['If-Modified-Since']);
  const isOld = sinceMs !== undefined && modifiedMs !== undefined && modifiedMs <= sinceMs;
  return isOld ? 304 : undefined;
}

function tagsOf(list: string): readonly string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** The tag for weak comparison, without the suffix of some proxies. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-gzip"$/, '"');
}

/** Milliseconds since the epoch of a date in HTTP's preferred form. */
function httpDate(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) || new Date(ms).toUTCString() !== text ? undefined : ms;
}

function isCurrent(condition: string | undefined, whole: Answer): boolean {
  const tag = fieldOf(whole, 'etag');
  return condition === undefined || (condition === tag && !tag.startsWith('W/'));
}

/** First and last byte (RFC 9110 §14.1.2); several ranges and malformed ones mean the whole file. */
function partOf(range: string, length: number): readonly [number, number] | undefined {
  const [, first, last = '', suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(range) ?? [];
  if (suffix !== undefined) return [Math.max(0, length - Number(suffix)), length - 1];
  if (first === undefined || (last !== '' && Number(last) < Number(first))) return undefined;
  return [Number(first), last === '' ? length - 1 : Math.min(Number(last), length - 1)];
}

/** Whether gzip is preferred at least as much as the plain form (RFC 9110 §12.5.3). */
function prefersGzip(accepted: string): boolean {
  const weights = new Map(
    accepted.split(',').map((member): readonly [string, number] => {
      const words = member.toLowerCase().split(';');
      const [coding = '', ...parameters] = words.map((text) => text.trim());
      const weight = parameters.find((text) => text.startsWith('q='));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? weights.get('*') ?? 0);
}
