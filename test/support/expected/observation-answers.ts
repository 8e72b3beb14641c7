/** Compares lists and streams of observations with answers computed without the service's code. */
import assert from 'node:assert/strict';
import { onlyMember } from '../readers/gzip-member.js';
import { fieldOf, type Connection } from '../service/connection.js';
import { listBody, streamBody, type Asked, type ExpectedHvd } from './expected-hvd.js';

const LIST = '/api/v1/observations';
const STREAM = '/api/v1/observations/stream';

/** List and stream, plain and compressed, must have the expected bytes and counts. */
export async function assertSame(
  connection: Pick<Connection, 'ask'>,
  expected: ExpectedHvd,
  { query, asked }: { readonly query: string; readonly asked: Asked },
): Promise<void> {
  const observations = expected.observations(asked);
  for (const [path, body] of [
    [LIST, listBody(observations)],
    [STREAM, streamBody(observations)],
  ] as const) {
    for (const coding of ['identity', 'gzip']) {
      const target = path + query;
      const answer = await connection.ask({ target, fields: { 'Accept-Encoding': coding } });
      assert.equal(answer.status, 200, target);
      const isCompressed = fieldOf(answer, 'content-encoding') === 'gzip';
      const text = (isCompressed ? onlyMember(answer.body) : answer.body).toString();
      if (text !== body) assert.fail(`${target} (${coding}): ${firstDifference(text, body)}`);
      assert.equal(fieldOf(answer, 'x-record-count'), String(observations.records.length), target);
      assert.equal(fieldOf(answer, 'content-length'), String(answer.body.length), target);
    }
  }
}

/** Both texts around their first difference; `assert.equal` would print megabytes. */
function firstDifference(actual: string, expected: string): string {
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const start = Math.max(0, at - 100);
  return `${actual.slice(start, at + 100)} instead of ${expected.slice(start, at + 100)}`;
}
