/** Faults outside of the body that the soak finds: another snapshot, another entity tag, a wrong 304. */
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { Answer } from '../../support/service/exchange.js';
import { Checker, type Verdict } from '../../../bench/soak/checker.js';
import { Oracle } from '../../../bench/soak/oracle.js';
import type { SoakRequest } from '../../../bench/soak/requests.js';
import { snapshotDocument } from '../../support/documents/documents.js';

const PATH = '/1/stations/1/measurements/last_hour';
const BODY = (value: number): string =>
  `{"hours":[{"date":"2026-09-09","time":"23:00","components":[{"component_id":8,"value":${value}}]}]}`;
const VALUES: Readonly<Record<string, number>> = { a: 21.5, b: 22.5, c: 23.5 };

void t.test('takes an answer for right, plain, compressed, and again', async (t) => {
  const checker = checkerOf();
  t.equal(check(checker, 'a').kind, 'right');
  const body = gzipSync(BODY(21.5));
  const gzip = { fields: [['Content-Encoding', 'gzip']] as const, body };
  t.equal(check(checker, 'a', gzip, { gzip: true, id: 2 }).kind, 'right');
  t.equal(checker.computed, 2);
  t.equal(check(checker, 'a').kind, 'right');
  t.equal(check(checker, 'a', gzip, { gzip: true, id: 2 }).kind, 'right');
  t.equal(checker.computed, 2);
  t.match(check(checker, 'a', gzip), wrong(/Content-Encoding gzip that was not asked for/));
});

void t.test('counts swaps; a snapshot that nobody published is wrong', async (t) => {
  const checker = checkerOf();
  for (const id of ['a', 'a', 'b', 'a']) t.equal(check(checker, id).kind, 'right');
  t.equal(checker.swaps, 2);
  t.match(check(checker, 'x'), wrong(/names no snapshot/));
});

void t.test('wants 304 for the tag that is held, and for no other', async (t) => {
  const checker = checkerOf();
  check(checker, 'a');
  const tag = checker.currentTag();
  t.equal(tag, 'W/"a-1"');
  const notModified = { status: 304, body: '' };
  t.equal(check(checker, 'a', notModified, { tag }).kind, 'right');
  t.match(check(checker, 'a', {}, { tag }), wrong(/no 304/));
  t.equal(check(checker, 'b', {}, { tag }).kind, 'right', 'another one since');
  t.match(check(checker, 'b', notModified, { tag }), wrong(/304 with/));
  t.equal(check(checker, 'b', notModified).kind, 'failed', 'that nobody asked for');
});

function wrong(what: RegExp): { readonly kind: 'wrong'; readonly what: RegExp } {
  return { kind: 'wrong', what };
}

function checkerOf(): Checker {
  const oracles = Object.entries(VALUES).map(([id, value]) => {
    const rows = [{ station_id: 1, component_id: 8, date: '2026-09-09', time: '23:00', value }];
    return new Oracle(snapshotDocument({ snapshot_id: id, measurements: rows }));
  });
  return new Checker(new Map(oracles.map((oracle) => [oracle.snapshotId, oracle])));
}

/** Checks the right answer of a snapshot with the given changes. */
function check(
  checker: Checker,
  id: string,
  given: Partial<Pick<Answer, 'status' | 'fields'>> & { readonly body?: string | Buffer } = {},
  { tag, ...more }: Partial<SoakRequest> & { readonly tag?: string | undefined } = {},
): Verdict {
  const { status = 200, fields = [], body = BODY(VALUES[id] ?? 0) } = given;
  const plain = { kind: 'hot', path: PATH, gzip: false, conditional: false, id: 1 } as const;
  const answer = {
    status,
    statusLine: String(status),
    fields: [['X-Snapshot-Id', id], ['ETag', `W/"${id}-1"`], ...fields] as const,
    body: Buffer.from(body),
  };
  return checker.check({ request: { ...plain, ...more }, tag }, answer);
}
