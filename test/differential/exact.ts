/** Answers that the documents fix completely: errors and negotiated pages. */
import { isDeepStrictEqual } from 'node:util';
import { jsonOf, type Answer, type Connection } from '../support/service/connection.js';
import { fieldsProblem, REFUSED } from './http-exchange.js';
import type { Asked, Exact, Problem } from './request.js';

export async function exactProblem(
  { ask }: Pick<Connection, 'ask'>,
  { path: target, choices, exact }: Asked & { readonly exact: Exact },
): Promise<string | undefined> {
  const method = choices.method === 'HEAD' ? 'HEAD' : 'GET';
  const answer = await ask({ target, method, ...(exact.fields && { fields: exact.fields }) });
  const { status, detail, problems, answered } = exact;
  if (answer.status !== status) return `status ${answer.status}, not ${status}`;
  // The HTTP library itself refuses long requests.
  const usual = status === 200 || status === 431 ? {} : REFUSED;
  const wrong = fieldsProblem(answer, { ...usual, ...answered });
  if (wrong !== undefined || method === 'HEAD') return wrong;
  if (problems !== undefined) return validationProblem(answer, problems);
  return detail && detailProblem(answer, detail);
}

function detailProblem(
  answer: Answer,
  [first = '', ...parts]: readonly string[],
): string | undefined {
  const text = answer.body.toString();
  const isRight =
    parts.length === 0
      ? text === JSON.stringify({ detail: first })
      : text.startsWith(`{"detail":"${first}`) && parts.every((part) => text.includes(part));
  return isRight ? undefined : `body ${text}, expected ${first}`;
}

function validationProblem(answer: Answer, problems: readonly Problem[]): string | undefined {
  const { detail } = jsonOf(answer) as { readonly detail: readonly Record<string, unknown>[] };
  const found = detail.map(({ msg, ctx, ...rest }) => ({
    ...rest,
    ...(ctx === undefined ? {} : { expected: choicesOf(ctx) }),
    ...(typeof msg === 'string' && msg !== '' ? {} : { msg }),
  }));
  const sorted = (list: readonly object[]): readonly string[] =>
    list.map((one) => JSON.stringify(Object.entries(one).toSorted())).toSorted();
  return isDeepStrictEqual(sorted(found), sorted(problems))
    ? undefined
    : `${answer.body.toString()}, expected ${JSON.stringify(problems)}`;
}

/** The choices in `ctx.expected`, which has each in quotes. */
function choicesOf(ctx: unknown): readonly string[] {
  const text = JSON.stringify(ctx ?? '');
  return [...text.matchAll(/'([^']*)'/g)].map(([, choice = '']) => choice);
}
