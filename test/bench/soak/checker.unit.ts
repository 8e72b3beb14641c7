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

void t.test('takes another digit for wrong, also after the right one', async (t) => {
  const checker = checkerOf();
  t.match(check(checker, 'a', { body: BODY(21.4) }), wrong(/differs from byte/));
  check(checker, 'a');
  t.match(check(checker, 'a', { body: BODY(21.4) }), wrong(/differs from byte/));
  t.match(check(checker, 'a', { body: BODY(22.5) }), wrong(/differs from byte/), 'of another one');
});

void t.test(
  'counts how the snapshots follow each other; one that nobody published is wrong',
  async (t) => {
    const checker = checkerOf();
    for (const id of ['a', 'a', 'b', 'a']) t.equal(check(checker, id).kind, 'right');
    t.equal(checker.swaps, 2);
    t.match(check(checker, 'x'), wrong(/names no snapshot/));
  },
);

void t.test('wants 304 for the tag that is held, and for no other', async (t) => {
  const checker = checkerOf();
  check(checker, 'a');
  const tag = checker.currentTag();
  t.equal(tag, 'W/"a-1"');
  const notModified = { status: 304, body: '' };
  t.equal(check(checker, 'a', notModified, {}, { tag }).kind, 'right');
  t.match(check(checker, 'a', {}, {}, { tag }), wrong(/no 304/));
  t.equal(check(checker, 'b', {}, {}, { tag }).kind, 'right', 'another one since');
  t.match(check(checker, 'b', notModified, {}, { tag }), wrong(/304 with/));
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

interface Given {
  readonly status?: number;
  readonly fields?: Answer['fields'];
  readonly etag?: string;
  readonly body?: string | Buffer;
}

/** Checks the right answer of a snapshot with the given changes. */
function check(
  checker: Checker,
  snapshotId: string,
  { status = 200, fields = [], etag = `W/"${snapshotId}-1"`, body }: Given = {},
  more: Partial<SoakRequest> = {},
  { tag }: { tag?: string | undefined } = {},
): Verdict {
  const request = {
    kind: 'hot',
    path: PATH,
    gzip: false,
    conditional: false,
    id: 1,
    ...more,
  } as const;
  const answer = {
    status,
    statusLine: String(status),
    fields: [['X-Snapshot-Id', snapshotId], ['ETag', etag], ...fields] as const,
    body: Buffer.from(body ?? BODY(VALUES[snapshotId] ?? 0)),
  };
  return checker.check({ request, tag }, answer);
}
