/** Requests that are no HTTP, or that two readers could read differently; and right ones, cut in two anywhere. */
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { askAll, Connection, requestBytes, type Answer } from '../../support/service/connection.js';
import { generateDocument, snapshotDocument } from '../../support/documents/documents.js';
import { sendRaw } from '../../support/service/requests.js';
import type { Service } from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';

/** The request that nobody has asked for: its answer holds `"live"`. */
const HIDDEN = 'GET /health/live HTTP/1.1\r\nHost: hidden\r\n\r\n';

/** The library keeps whoever sends nonsense, or nothing, for some twelve seconds; a busy machine takes longer. */
const LIMIT_MS = 60_000;

const START = 'GET /meta HTTP/1.1\r\nHost: a\r\n';

/** Each a head that is malformed, or one whose content would swallow, or let out, the hidden request. */
const MALFORMED: Readonly<Record<string, string | Buffer>> = {
  'no request line': '\r\n\r\n',
  garbage: 'þis is nö HTTP at all\r\n\r\n',
  'garbage bytes': Buffer.from([0, 1, 2, 253, 254, 255, 13, 10, 13, 10]),
  'a TLS hello': Buffer.from('16030100c8010000c40303', 'hex'),
  'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'no version': 'GET /meta\r\n\r\n',
  'HTTP/0.9': 'GET /meta HTTP/0.9\r\nHost: a\r\n\r\n',
  'HTTP/1.0': 'GET /meta HTTP/1.0\r\nHost: a\r\n\r\n',
  'HTTP/1.2': 'GET /meta HTTP/1.2\r\nHost: a\r\n\r\n',
  'HTTP/2.0': 'GET /meta HTTP/2.0\r\nHost: a\r\n\r\n',
  'HTTP/1.10': 'GET /meta HTTP/1.10\r\nHost: a\r\n\r\n',
  'a version in lower case': 'GET /meta http/1.1\r\nHost: a\r\n\r\n',
  'two blanks': 'GET  /meta HTTP/1.1\r\nHost: a\r\n\r\n',
  'tabs for blanks': 'GET\t/meta\tHTTP/1.1\r\nHost: a\r\n\r\n',
  'a blank after the version': 'GET /meta HTTP/1.1 \r\nHost: a\r\n\r\n',
  'no method': ' /meta HTTP/1.1\r\nHost: a\r\n\r\n',
  'a control character in the method': 'G\u0001T /meta HTTP/1.1\r\nHost: a\r\n\r\n',
  'a letter beyond ASCII in the method': 'GÉT /meta HTTP/1.1\r\nHost: a\r\n\r\n',
  'no target': 'GET HTTP/1.1\r\nHost: a\r\n\r\n',
  'OPTIONS *': 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'a target in absolute form': 'GET http://a/meta HTTP/1.1\r\nHost: a\r\n\r\n',
  'a target in authority form': 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
  'NUL in the target': 'GET /me\0ta HTTP/1.1\r\nHost: a\r\n\r\n',
  'a long target': `GET /${'a'.repeat(10_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'a long query': `GET /meta?${'a'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'no Host': 'GET /meta HTTP/1.1\r\n\r\n',
  'two Hosts': `${START}Host: b\r\n\r\n`,
  'the same Host twice': `${START}Host: a\r\n\r\n`,
  'bare LF': 'GET /meta HTTP/1.1\nHost: a\n\n',
  'bare LF between fields': 'GET /meta HTTP/1.1\r\nHost: a\nX: b\r\n\r\n',
  'bare CR': 'GET /meta HTTP/1.1\rHost: a\r\r',
  'bare CR in a value': `${START}X: a\rb\r\n\r\n`,
  'a blank in a name': `${START}Bad Name: b\r\n\r\n`,
  'a blank before the colon': `${START}Name : b\r\n\r\n`,
  'no colon': `${START}Name\r\n\r\n`,
  'a name with a letter beyond ASCII': `${START}Näme: b\r\n\r\n`,
  'a name in brackets': `${START}(Name): b\r\n\r\n`,
  'NUL in a name': `${START}Na\0me: b\r\n\r\n`,
  'NUL in a value': `${START}X: a\0b\r\n\r\n`,
  'a control character in a value': `${START}X: a\u0001b\r\n\r\n`,
  'a folded value': `${START}X: a\r\n b\r\n\r\n`,
  'a folded length': `${START}Content-Length:\r\n ${HIDDEN.length}\r\n\r\n`,
  '100 kB of fields': `${START}${`X-Long: ${'a'.repeat(1000)}\r\n`.repeat(100)}\r\n`,
  'one field of 100 kB': `${START}X: ${'a'.repeat(100_000)}\r\n\r\n`,
  '500 fields': `${START}${'X: a\r\n'.repeat(500)}\r\n`,
  'a length that is a word': `${START}Content-Length: nine\r\n\r\n`,
  'a negative length': `${START}Content-Length: -1\r\n\r\n`,
  'a length with a plus': `${START}Content-Length: +${HIDDEN.length}\r\n\r\n`,
  'a length in hex': `${START}Content-Length: 0x10\r\n\r\n`,
  'a length beyond all numbers': `${START}Content-Length: 99999999999999999999999\r\n\r\n`,
  'a list of lengths': `${START}Content-Length: 0, ${HIDDEN.length}\r\n\r\n`,
  'an empty length': `${START}Content-Length: \r\n\r\n`,
  'two lengths': `${START}Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n`,
  'two lengths, turned': `${START}Content-Length: ${HIDDEN.length}\r\nContent-Length: 0\r\n\r\n`,
  'the same length twice': `${START}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`,
  'an empty length and one': `${START}Content-Length:\r\nContent-Length: ${HIDDEN.length}\r\n\r\n`,
  'a length and an empty one': `${START}Content-Length: ${HIDDEN.length}\r\nContent-Length:\r\n\r\n`,
  'a length with chunked': `${START}Content-Length: ${HIDDEN.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunked with a length': `${START}Transfer-Encoding: chunked\r\nContent-Length: ${HIDDEN.length}\r\n\r\n0\r\n\r\n`,
  'chunked with no length': `${START}Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n`,
  'an empty coding': `${START}Transfer-Encoding: \r\n\r\n`,
  'an empty coding and chunked': `${START}Transfer-Encoding:\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'another coding': `${START}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'chunked but not last': `${START}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'chunked twice': `${START}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'identity coding': `${START}Transfer-Encoding: identity\r\n\r\n`,
  'a chunk size that is none': `${START}Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n`,
  'a chunk size beyond all numbers': `${START}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n\r\n`,
};

/** Well-formed, with content that we have no use for: answered or closed, and its connection is not used again. */
const WITH_CONTENT: Readonly<Record<string, string>> = {
  'GET with a length': `${START}Content-Length: 5\r\n\r\nhello`,
  'GET with the hidden request as content': `${START}Content-Length: ${HIDDEN.length}\r\n\r\n`,
  'GET in chunks': `${START}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  'GET in chunks with extensions': `${START}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n`,
  'POST with a length': 'POST /meta HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
  'HEAD with a length': 'HEAD /meta HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
  'OPTIONS with a length': 'OPTIONS /meta HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
  'a conditional GET with a length': `${START}If-None-Match: *\r\nContent-Length: 5\r\n\r\nhello`,
  'an unknown path with a length':
    'PUT /nope HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
};

// Most of the time is spent waiting for the other side to lose its patience.
t.jobs = 3;

/** For all tests that need no large answer. */
const service = await startServing(t, snapshotDocument());

void t.test('whatever is malformed', { buffered: true }, async (t) => {
  t.jobs = 3;
  const refused = t.test(
    'is refused or cut off in time, and hides no second request',
    { buffered: true },
    async (t) => {
      await Promise.all(
        Object.entries(MALFORMED).flatMap(([name, head]) =>
          waysToSend(head).map(async ([way, chunks]) => {
            const { text, closed } = await send(service, chunks);
            const statuses = statusesOf(text);
            t.ok(closed, `${name}, ${way}: closed`);
            t.ok(statuses.length <= 1 && !text.includes('"live"'), `${name}, ${way}: ${text}`);
            t.match(statuses[0] ?? '400', /^(?:4\d\d|505)$/, `${name}, ${way}`);
          }),
        ),
      );
    },
  );

  const last = t.test(
    'or has content, is the last of its connection',
    { buffered: true },
    async (t) => {
      await Promise.all(
        Object.entries(WITH_CONTENT).flatMap(([name, request]) =>
          waysToSend(request).map(async ([way, chunks]) => {
            const { text, closed } = await send(service, chunks);
            t.ok(closed, `${name}, ${way}: closed`);
            t.ok(statusesOf(text).length <= 1 && !text.includes('"live"'), `${name}, ${way}`);
          }),
        ),
      );
    },
  );

  const slow = t.test('or slow, or silent, is cut off in time', { buffered: true }, async (t) => {
    const heads: Readonly<Record<string, readonly string[]>> = {
      'nothing at all': [''],
      'half a request line': ['GET /me'],
      'a head without its end': [START],
      'a byte every second': 'GET /meta HTTP/1.1\r\nHost'.split(/(?=[^])/),
    };
    await Promise.all(
      Object.entries(heads).map(async ([name, chunks]) => {
        const { text, closed } = await send(service, chunks, 1000);
        t.ok(closed, `${name}: closed`);
        t.notMatch(text, '"schema_version"', name);
      }),
    );
  });

  await Promise.all([refused, last, slow]);
  t.equal((await onNewConnection(service, [requestBytes({ target: '/meta' })])).status, 200);
});

void t.test(
  'a large answer lets nothing be smuggled in behind it',
  { buffered: true },
  async (t) => {
    const document = generateDocument({ stations: 500, components: 1, hours: 1 });
    const service = await startServing(t, document);
    const start = 'GET /stations HTTP/1.1\r\nHost: a\r\n';
    const heads = [
      `${start}Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n`,
      `${start}Content-Length:\r\nContent-Length: ${HIDDEN.length}\r\n\r\n`,
      `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      `${start}Content-Length: ${HIDDEN.length}\r\n\r\n`,
    ];
    await Promise.all(
      heads.flatMap((head) =>
        waysToSend(head).map(async ([way, chunks]) => {
          const { text } = await send(service, chunks);
          t.notMatch(text, /"live"/, `${head}, ${way}`);
        }),
      ),
    );
  },
);

void t.test(
  'a request is answered alike wherever it is cut in two',
  { buffered: true },
  async (t) => {
    for (const request of samples()) {
      const bytes = requestBytes(request);
      const label = bytes.toString().split('\r\n')[0];
      const whole = await onNewConnection(service, [bytes]);
      const cuts = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
      const different: number[] = [];
      await askAll(service.port, cuts, {
        connections: 64,
        take: async (connection, cut) => {
          const answer = await connection.ask([bytes.subarray(0, cut), bytes.subarray(cut)]);
          if (comparable(answer) !== comparable(whole)) different.push(cut);
        },
      });
      t.same(different, [], `${String(label)}: ${whole.status}, ${cuts.length} cuts`);
    }
  },
);

function samples(): readonly Parameters<typeof requestBytes>[0][] {
  const series = '/measurements?organization_id=1&station_id=1&component_id=8&window=';
  return [
    { target: '/meta' },
    { target: '/meta', method: 'HEAD' },
    { target: '/meta', fields: { 'If-None-Match': `W/"20260910T000000Z-test-${BUILD_ID}"` } },
    { target: '/meta', fields: { 'If-Modified-Since': 'Thu, 10 Sep 2026 00:00:00 GMT' } },
    { target: '/meta', method: 'OPTIONS', fields: { Origin: 'https://primer.example' } },
    { target: '/meta', method: 'DELETE' },
    { target: '/stations', fields: { 'Accept-Encoding': 'gzip;q=0.5, identity;q=0.1' } },
    { target: '/stations', fields: { 'Content-Length': '0' } },
    { target: '/1/stations/1/meta' },
    { target: '/%31/stations/1/measurements/last%5F24h' },
    { target: `${series}30d`, fields: { 'User-Agent': 'mjerač/1.0', 'X-Empty': '' } },
    { target: `${series}2d` },
    { target: `${series}1h`, method: 'HEAD' },
    { target: '/1/stations/99/meta' },
    { target: '/jedan/stations' },
    { target: '/nema/ničega' },
    { target: '/health/live' },
    { target: '/health/ready?deep=1' },
  ];
}

function waysToSend(head: string | Buffer): readonly (readonly [string, readonly Buffer[]])[] {
  const [bytes, hidden] = [Buffer.from(head), Buffer.from(HIDDEN)];
  return [
    ['hidden in the same packet', [Buffer.concat([bytes, hidden])]],
    ['hidden in the next packet', [bytes, hidden]],
  ];
}

async function send(
  { port }: Service,
  chunks: readonly (string | Buffer)[],
  gapMs = 50,
): Promise<{ readonly text: string; readonly closed: boolean }> {
  const { received, closed } = await sendRaw(port, chunks, { gapMs, timeoutMs: LIMIT_MS });
  return { text: received.toString('latin1'), closed };
}

function statusesOf(text: string): readonly string[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status ?? '');
}

async function onNewConnection(service: Service, chunks: readonly Buffer[]): Promise<Answer> {
  const connection = await Connection.open(service.port);
  try {
    return await connection.ask(chunks);
  } finally {
    connection.close();
  }
}

/** All of an answer but the clock. */
function comparable({ status, fields, body }: Answer): string {
  const others = fields.filter(([name]) => name !== 'Date');
  return JSON.stringify([status, others, body.toString('latin1')]);
}
