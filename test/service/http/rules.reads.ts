/** Rules of HTTP by the ids of public tests: h1spec, Http11Probe, REDbot. `requests/rules.json` says which, and which not. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { namedCasesOf } from '../../support/readers/cases.js';
import {
  askAll,
  askOnce,
  fieldOf,
  fieldsWithoutDate,
  sendRaw,
  type Answer,
} from '../../support/service/connection.js';
import { get } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';
import { everyTarget, largeAsset } from './every-target.js';

/** A smuggled request, whose answer would hold `"live"`. */
const HIDDEN = 'GET /health/live HTTP/1.1\r\nHost: hidden\r\nConnection: close\r\n\r\n';

/** The library keeps a client that sends nonsense, or nothing, for some twelve seconds; a busy machine takes longer. */
const LIMIT_MS = 60_000;

/** Statuses of the lists `closed ...`, after which the connection ends, and `kept ...`. */
const CLOSED = ['200', '204', '304', '400', '404', '405', '431', '505', '100 405'];
const KEPT = ['200', '204', '404', '405', '100 200'];

/** Requests of a list by their ids, as bytes; `<length>` is that of the hidden request. */
function requestsOf(list: string): readonly (readonly [id: string, bytes: Buffer])[] {
  return [...namedCasesOf('rules', list)].map(([id, text]) => {
    return [id, Buffer.from(text.replaceAll('<length>', `${HIDDEN.length}`), 'latin1')];
  });
}

/** Sends chunks, and reads until the other side closes. */
async function answersTo(port: number, chunks: readonly Buffer[], gapMs = 50) {
  const { received, closed } = await sendRaw(port, chunks, { gapMs, timeoutMs: LIMIT_MS });
  const text = received.toString('latin1');
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status).join(' ');
  return { statuses, isHiddenAnswered: text.includes('"live"'), closed };
}

void t.test('requests', async (t) => {
  const { port } = await sharedService();
  const script = await largeAsset({ port });
  t.ok((await get({ port }, script)).body.length > 200_000, script);
  // Most of the time is spent waiting for the other side to lose its patience.
  t.jobs = 3;
  const hidden = Buffer.from(HIDDEN);
  const closed = t.test('the last of their connection', { buffered: true }, async (t) => {
    const check = async (id: string, bytes: Buffer, expected: string): Promise<void> => {
      const ofScript = Buffer.from(bytes.toString('latin1').replace('/meta', script), 'latin1');
      const ways = [bytes, ofScript].flatMap((one) => [
        [Buffer.concat([one, hidden])],
        [one, hidden],
      ]);
      const [alone, ...others] = await Promise.all(
        [[bytes], ...ways].map((chunks) => answersTo(port, chunks)),
      );
      t.same(alone, { statuses: expected, isHiddenAnswered: false, closed: true }, id);
      // With more to read, the end may overtake the answer, also a large one; the hidden request gets no answer.
      for (const { statuses, isHiddenAnswered, closed } of others) {
        // The rest of the content may be refused for itself.
        t.match(statuses, new RegExp(`^(?:${expected})? ?(?:400|505)?$`), id);
        t.same([isHiddenAnswered, closed], [false, true], id);
      }
    };
    const lists = CLOSED.map((status) => [`closed ${status}`, status] as const);
    await Promise.all(
      [...lists, ['closed without an answer', ''] as const].flatMap(([list, status]) =>
        requestsOf(list).map(([id, bytes]) => check(id, bytes, status)),
      ),
    );
  });
  const kept = t.test('others, with the next one behind', { buffered: true }, async (t) => {
    const check = async (id: string, bytes: Buffer, expected: string): Promise<void> => {
      for (const chunks of [[Buffer.concat([bytes, hidden])], [bytes, hidden]]) {
        const statuses = `${expected} 200`;
        const answers = await answersTo(port, chunks);
        t.same(answers, { statuses, isHiddenAnswered: true, closed: true }, id);
      }
    };
    await Promise.all(
      KEPT.flatMap((status) =>
        requestsOf(`kept ${status}`).map(([id, bytes]) => check(id, bytes, status)),
      ),
    );
  });
  const cut = t.test('that never end', { buffered: true }, async (t) => {
    const check = async (id: string, chunks: readonly Buffer[]): Promise<void> => {
      const answer = await answersTo(port, chunks, 1000);
      t.same(answer, { statuses: '', isHiddenAnswered: false, closed: true }, id);
    };
    const requests = requestsOf('cut off in time');
    const [slow = Buffer.alloc(0)] = requests.map(([, bytes]) => bytes).slice(-1);
    const byByte = Array.from(slow, (byte) => Buffer.of(byte));
    await Promise.all([
      ...requests.map(([id, bytes]) => check(id, [bytes])),
      check('a byte each second', byByte),
    ]);
  });
  await Promise.all([closed, kept, cut]);
});

/** Fields that a 304 and a 206 repeat (RFC 9110 §15.4.5, §15.3.7), and our own. */
const REPEATED = ['cache-control', 'etag', 'vary', 'last-modified', 'x-snapshot-id'];

const FIELDS = new Set(namedCasesOf('targets', 'fields of answers').values());

/** Patterns of values by the note that is due for others, and the field. */
const VALUES = [...namedCasesOf('rules', 'values of fields')].map(
  ([key, pattern]) => [key, key.split(' ').at(-1) ?? '', new RegExp(pattern)] as const,
);

/** Answers of one target; to its tag, its date and a range of eleven bytes only where it has them. */
interface Seen {
  readonly plain: Answer;
  readonly zipped: Answer;
  readonly byTag: Answer | undefined;
  readonly byDate: Answer | undefined;
  readonly range: Answer | undefined;
}

const isZipped = (answer: Answer): boolean => fieldOf(answer, 'content-encoding') === 'gzip';
const has = (answer: Answer, name: string): boolean => fieldOf(answer, name) !== undefined;
const dateOf = (answer: Answer, name: string): number => Date.parse(fieldOf(answer, name) ?? '');
const differ = (name: string, one: Answer, other: Answer): boolean =>
  fieldOf(one, name) !== fieldOf(other, name);
const lacks = (whole: Answer, part: Answer | undefined): boolean =>
  part !== undefined && REPEATED.some((name) => differ(name, whole, part));

/** Notes for one answer, each with whether it is due. */
const NOTES_OF_ONE: Readonly<Record<string, (answer: Answer) => boolean>> = {
  UNKNOWN_FIELD: ({ fields }) => fields.some(([name]) => !FIELDS.has(name.toLowerCase())),
  SINGLE_HEADER_REPEAT: ({ fields }) => new Set(fields.map(([name]) => name)).size < fields.length,
  HEADER_BLOCK_TOO_LARGE: ({ fields }) => JSON.stringify(fields).length > 8_000,
  HEADER_TOO_LARGE: ({ fields }) => fields.some(([, value]) => value.length > 2_000),
  DATE_CLOCKLESS: (answer) => !has(answer, 'date'),
  DATE_INCORRECT: (answer) => Math.abs(dateOf(answer, 'date') - Date.now()) > LIMIT_MS,
  LM_FUTURE: (answer) => dateOf(answer, 'last-modified') > dateOf(answer, 'date'),
  LOCATION_UNDEFINED: (answer) => has(answer, 'location') !== (answer.status === 308),
  CONTENT_RANGE_MEANINGLESS: (answer) => has(answer, 'content-range') !== (answer.status === 206),
  STATUS_NONSTANDARD: ({ status }) => ![200, 206, 304, 308, 400, 404, 422].includes(status),
  CL_INCORRECT: (answer) =>
    answer.status !== 304 && fieldOf(answer, 'content-length') !== `${answer.body.length}`,
  FRESHNESS_HEURISTIC: (answer) =>
    !/max-age=\d|no-store|no-cache/.test(fieldOf(answer, 'cache-control') ?? ''),
  NO_CACHE_NO_VALIDATOR: (answer) =>
    fieldOf(answer, 'cache-control')?.includes('no-cache') === true && !has(answer, 'etag'),
  'own: scripts of any origin': (answer) => !has(answer, 'access-control-allow-origin'),
  'own: content without a type': (answer) => answer.body.length > 0 && !has(answer, 'content-type'),
};

/** Notes for all answers of a target. */
const NOTES: Readonly<Record<string, (seen: Seen) => boolean>> = {
  PARTIAL_NOT_REQUESTED: ({ plain, zipped }) => plain.status === 206 || zipped.status === 206,
  CONNEG_GZIP_WITHOUT_ASKING: ({ plain }) => has(plain, 'content-encoding'),
  CONNEG_NO_VARY: ({ zipped }) =>
    isZipped(zipped) && fieldOf(zipped, 'vary')?.includes('Accept-Encoding') !== true,
  CONNEG_GZIP_BAD: ({ plain, zipped }) =>
    isZipped(zipped) && zipped.body.length >= plain.body.length,
  VARY_INCONSISTENT: ({ plain, zipped }) => differ('vary', plain, zipped),
  VARY_STATUS_MISMATCH: ({ plain, zipped }) => plain.status !== zipped.status,
  VARY_HEADER_MISMATCH: ({ plain, zipped }) => differ('content-type', plain, zipped),
  // `gunzipSync` throws where BAD_GZIP or BAD_ZLIB are due.
  VARY_BODY_MISMATCH: ({ plain, zipped }) =>
    !(isZipped(zipped) ? gunzipSync(zipped.body) : zipped.body).equals(plain.body),
  VARY_ETAG_DOESNT_CHANGE: ({ plain, zipped }) =>
    isZipped(zipped) && /^"/.test(fieldOf(zipped, 'etag') ?? '') && !differ('etag', plain, zipped),
  INM_FULL: ({ byTag }) => byTag !== undefined && byTag.status !== 304,
  IMS_FULL: ({ byDate }) => byDate !== undefined && byDate.status !== 304,
  MISSING_HDRS_304: ({ plain, byTag, byDate }) => lacks(plain, byTag) || lacks(plain, byDate),
  RANGE_FULL: ({ range }) => range !== undefined && range.status !== 206,
  RANGE_INCORRECT: ({ plain, range }) => range?.body.equals(plain.body.subarray(0, 11)) === false,
  RANGE_INCORRECT_LENGTH: ({ plain, range }) =>
    range !== undefined && fieldOf(range, 'content-range') !== `bytes 0-10/${plain.body.length}`,
  MISSING_HDRS_206: ({ plain, range }) => lacks(plain, range),
};

/** Ids of the notes that are due. */
function notesOn(seen: Seen): readonly string[] {
  const answers = Object.values(seen).filter((answer: Answer | undefined) => answer !== undefined);
  const ids = answers.flatMap((answer: Answer) => {
    const isWrong = ([, name, pattern]: (typeof VALUES)[number]): boolean =>
      has(answer, name) && !pattern.test(fieldOf(answer, name) ?? '');
    const notes = Object.keys(NOTES_OF_ONE).filter((id) => NOTES_OF_ONE[id]?.(answer) === true);
    return [...notes, ...VALUES.filter(isWrong).map(([id]) => id)];
  });
  return [...ids, ...Object.keys(NOTES).filter((id) => NOTES[id]?.(seen) === true)];
}

void t.test('answers of every kind', async (t) => {
  const { port } = await sharedService();
  // An event stream has no end.
  const targets = (await everyTarget({ port })).filter((target) => target !== '/api/v1/events');
  const due: string[] = [];
  await askAll(port, targets, {
    connections: 4,
    take: async (connection, target) => {
      const ask = (fields = {}, method = 'GET'): Promise<Answer> =>
        connection.ask({ target, fields, method });
      const plain = await ask({ 'Accept-Encoding': 'identity' });
      const [tag, date] = [fieldOf(plain, 'etag'), fieldOf(plain, 'last-modified')];
      const hasRanges = fieldOf(plain, 'accept-ranges') !== undefined;
      const seen: Seen = {
        plain,
        zipped: await ask({ 'Accept-Encoding': 'gzip' }),
        byTag: tag === undefined ? undefined : await ask({ 'If-None-Match': tag }),
        byDate: date === undefined ? undefined : await ask({ 'If-Modified-Since': date }),
        range: hasRanges ? await ask({ Range: 'bytes=0-10' }) : undefined,
      };
      due.push(...notesOn(seen).map((id) => `${id} ${target}`));
      for (const coding of ['identity', 'gzip']) {
        const head = await ask({ 'Accept-Encoding': coding }, 'HEAD');
        const whole = coding === 'gzip' ? seen.zipped : plain;
        t.same(fieldsWithoutDate(head), fieldsWithoutDate(whole), `HEAD ${target}`);
        t.equal(head.status, whole.status, target);
      }
    },
  });
  t.same(due, [], `${targets.length} targets`);
});

void t.test('conditions', async (t) => {
  const service = await sharedService();
  const whole = await askOnce(service, { target: '/stations' });
  const [tag = '', date = ''] = [fieldOf(whole, 'etag'), fieldOf(whole, 'last-modified')];
  const values: Readonly<Record<string, string>> = {
    '<etag>': tag,
    '<opaque>': /"(.*)"/.exec(tag)?.[1] ?? '',
    '<date>': date,
    '<earlier>': new Date(Date.parse(date) - 1000).toUTCString(),
    '<later>': new Date(Date.parse(date) + 86_400_000).toUTCString(),
  };
  for (const [list, status] of [
    ['not modified', 304],
    ['modified', 200],
  ] as const) {
    for (const [id, text] of namedCasesOf('rules', list)) {
      const fields = text.replaceAll(/<\w+>/g, (name) => values[name] ?? '');
      for (const method of ['GET', 'HEAD']) {
        const bytes = Buffer.from(`${method} /stations HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n`);
        const answer = await askOnce(service, [bytes]);
        t.same([answer.status, fieldOf(answer, 'etag')], [status, tag], `${method} ${id}`);
      }
    }
  }
});
