/** The server and its body sender on a real port: long bodies at each client's pace, and their ends. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import t, { type Test } from 'tap';
import {
  PendingAnswer,
  type Answer,
  type BodyReader,
  type BodyReading,
  type LongBody,
} from '../../../src/http/semantics/answer.js';
import { errorAnswer } from '../../../src/http/semantics/error-answers.js';
import { headerBlock, withField } from '../../../src/http/semantics/header-block.js';
import { eventually } from '../../support/service/service.js';
import { HOST, serveOnWire } from './wire-server.js';

const HEADERS = headerBlock([['Content-Type', 'application/octet-stream']]);
const CHUNK_BYTES = 100_000;

/** A long body of known bytes, which counts how often it was opened and closed. */
class CountedBody implements LongBody {
  readonly residentBytes = 0;
  readonly readingBytes = 0;
  readonly openFiles: number = 0;
  readonly byteLength: number;
  opened = 0;
  closed = 0;
  /** Called at each close. */
  onClose = (): void => undefined;
  /** Revokes the last reading of the body. */
  revoke = (): void => undefined;
  readonly #failsAt: number;
  readonly #chunkBytes: number;

  constructor(byteLength: number, failsAt = Infinity, chunkBytes = CHUNK_BYTES) {
    this.byteLength = byteLength;
    this.#failsAt = failsAt;
    this.#chunkBytes = chunkBytes;
  }

  open({ onRevoked }: BodyReader): BodyReading {
    this.opened += 1;
    this.revoke = onRevoked;
    return {
      byteLength: this.byteLength,
      from: (offset) => {
        if (offset >= this.#failsAt) throw new Error('these bytes cannot be read');
        return bytesFrom(offset, Math.min(this.#chunkBytes, this.byteLength - offset));
      },
      close: () => {
        this.closed += 1;
        this.onClose();
      },
    };
  }
}

/** Bytes that repeat after 251, which divides no size of a chunk; as many as the largest body has. */
const PATTERN = Buffer.alloc(
  60_000_251,
  Uint8Array.from({ length: 251 }, (_, at) => at),
);

function bytesFrom(offset: number, length: number): Uint8Array {
  return PATTERN.subarray(offset % 251, (offset % 251) + length);
}

function answerOf(body: LongBody): Answer {
  return { status: 200, headers: HEADERS, body };
}

async function ask(
  port: number,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const request = get({ host: HOST, port, path: `/body${query}`, agent: false, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Makes timers that are started now run a hundred times as fast; the time can leap. */
function fastClock(t: Test): { leap(milliseconds: number): void } {
  const real = globalThis.setInterval;
  const now = performance.now.bind(performance);
  t.teardown(() => {
    globalThis.setInterval = real;
    performance.now = now;
  });
  // The one timer that looks at slow readers is started with the server, and looks every 4 s.
  globalThis.setInterval = ((act: () => void, ms: number) =>
    real(act, ms / 100)) as typeof setInterval;
  let leaptMs = 0;
  performance.now = () => now() + leaptMs;
  return {
    leap: (milliseconds) => {
      leaptMs += milliseconds;
    },
  };
}

void t.test('ends a body not taken in a minute and its length at 16 kB/s', async (t) => {
  const clock = fastClock(t);
  const shorter = new CountedBody(20_000_000);
  const longer = new CountedBody(60_000_000);
  const { port, counters } = await serveOnWire(t, ({ query }) =>
    answerOf(query === 'longer' ? longer : shorter),
  );
  const slow = await ask(port);
  const honest = await ask(port, '?longer');
  const ended = new Promise<void>((resolve) => {
    shorter.onClose = resolve;
  });
  // Both have taken some, and none is looked at before its bytes have gone as far as they can.
  clock.leap(2_000_000);
  await ended;
  t.equal(counters.counts.slowReaders, 1);
  t.equal(longer.closed, 0, 'one of another length has more time');
  t.equal((await buffer(honest)).byteLength, longer.byteLength);
  t.equal(counters.counts.slowReaders, 1);
  await t.rejects(buffer(slow), { code: 'ECONNRESET' });
});

void t.test('shares large answers among clients, and refuses those beyond the limit', async (t) => {
  const body = new CountedBody(20_000_000);
  const limits = { trustProxy: true, largeBodiesMax: 8 };
  const { port, counters } = await serveOnWire(t, () => answerOf(body), limits);
  const askAs = async (client: string): Promise<IncomingMessage> =>
    await ask(port, '', { 'X-Forwarded-For': `203.0.113.1, ${client}` });
  const taken = [];
  for (let count = 0; count < 6; count += 1) taken.push(await askAs('192.0.2.1'));
  t.ok(
    taken.every(({ statusCode }) => statusCode === 200),
    'one client has three quarters',
  );
  const refused = await askAs('192.0.2.1');
  t.equal(refused.statusCode, 503, 'and no more while others may come');
  t.equal(refused.headers['retry-after'], '2');
  taken.push(await askAs('192.0.2.2'), await askAs('192.0.2.3'));
  t.equal(taken.at(-1)?.statusCode, 200, 'others have the rest');
  t.equal((await askAs('192.0.2.4')).statusCode, 503, 'there are no more');
  t.equal(counters.counts.largeRejections, 2);
  const closed = new Promise<void>((resolve) => {
    body.onClose = resolve;
  });
  taken[0]?.destroy();
  await closed;
  const next = await askAs('192.0.2.4');
  t.equal(next.statusCode, 200, 'a place that is free again is given again');
  for (const response of [...taken, next]) response.destroy();
});

void t.test('a body whose snapshot is taken back resets the connection', async (t) => {
  const body = new CountedBody(50_000_000);
  const { port, counters } = await serveOnWire(t, () => answerOf(body));
  const response = await ask(port);
  body.revoke();
  body.revoke();
  await t.rejects(buffer(response), { code: 'ECONNRESET' }, 'and does not end cleanly');
  t.equal(body.closed, 1);
  t.equal(counters.inFlight, 0);
  t.equal(counters.counts.revokedReaders, 1);
  body.revoke();
  t.equal((await buffer(await ask(port))).byteLength, body.byteLength, 'others are served');
});

void t.test(
  'a body that cannot be opened is 503 each time, and takes nothing of the limit',
  async (t) => {
    const body: LongBody = {
      byteLength: 1_000_000,
      residentBytes: 0,
      readingBytes: 0,
      openFiles: 0,
      open: () => {
        throw new Error('too many open files');
      },
    };
    const made = answerOf(body);
    const { port } = await serveOnWire(
      t,
      ({ query }) => (query === 'later' ? new PendingAnswer(Promise.resolve(made)) : made),
      { largeBodiesMax: 1 },
    );
    for (const query of ['', '?later', '', '?later']) {
      const response = await ask(port, query);
      await buffer(response);
      t.same([response.statusCode, response.headers['retry-after']], [503, '5']);
    }
  },
);

class UnopenableBody extends CountedBody {
  override open(): BodyReading {
    throw new Error('too many open files');
  }
}

/** Sends bytes in one packet, and goes when something has come back, or at once. */
async function sendAndLeave(port: number, bytes: string, at: 'once' | 'answer'): Promise<void> {
  const socket = connect({ host: HOST, port, noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  if (at === 'answer') socket.once('data', () => socket.destroy()).write(bytes);
  else socket.write(bytes, () => socket.resetAndDestroy());
  await closed;
}

void t.test('a body that was opened is closed once, whoever drops its answer', async (t) => {
  const made: CountedBody[] = [];
  const Body = { opening: CountedBody, unopenable: UnopenableBody };
  const settling = new Set<Promise<unknown>>();
  const limits = { trustProxy: true, answerDeadlineMs: 50, largeBodiesMax: 4 };
  const { port, counters, server } = await serveOnWire(
    t,
    ({ query }) => {
      const [kind = 'opening', when = 'now', ms = '0'] = query.split(',');
      const make = (): Answer => {
        const body = new Body[kind as keyof typeof Body](200_000);
        made.push(body);
        return answerOf(body);
      };
      if (when === 'now') return make();
      // Made in the request's own turn, or later.
      const answer = when === 'made' ? make() : undefined;
      const promise = after(Number(ms)).then(() => answer ?? make());
      settling.add(promise);
      return new PendingAnswer(promise);
    },
    limits,
  );
  const queries = ['now', 'made', 'later', 'made,5', 'later,5', 'later,80'];
  const kinds = queries.flatMap((when) => [`opening,${when}`, `unopenable,${when}`]);
  for (const query of kinds) {
    const request = (method = 'GET', fields = ''): string =>
      `${method} /body?${query} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
    const content = 'Content-Length: 1\r\n';
    for (const bytes of [
      request() + request(),
      request('HEAD') + request('HEAD'),
      request('HEAD') + request(),
      request('GET', content) + request(),
      request(),
      request('GET', content) + 'x',
      request('HEAD'),
    ]) {
      await sendAndLeave(port, bytes, 'once');
      await sendAndLeave(port, bytes, 'answer');
    }
    // More than there may be, so that some are refused.
    await Promise.all(Array.from({ length: 8 }, () => sendAndLeave(port, request(), 'answer')));
  }
  await Promise.all(settling);
  await eventually('all have ended', () =>
    Promise.resolve(counters.inFlight === 0 && server.connections === 0),
  );
  t.ok(made.length > 100, `${made.length} answers`);
  t.same(
    made.filter(({ opened, closed }) => opened !== closed),
    [],
  );
  t.ok(made.some(({ opened }) => opened > 0));
  t.equal(server.largeAnswers, 0);
});

const FIRST_READS = ['fails at once', 'fails later', 'is taken back', 'never ends'] as const;

/** A body whose first bytes, or those after `readTo`, cannot be read. */
function failingBody(
  how: (typeof FIRST_READS)[number],
  { readTo = 0, onHang }: { readonly readTo?: number; readonly onHang: () => void },
): LongBody & HasClosed {
  return {
    byteLength: 1_000_000,
    residentBytes: 0,
    readingBytes: 0,
    openFiles: 0,
    closed: 0,
    open({ onReady, onRevoked }) {
      let hasFailed = how === 'fails at once';
      const close = (): void => {
        this.closed += 1;
      };
      const from = (offset: number): Uint8Array | undefined => {
        if (offset < readTo) return bytesFrom(offset, readTo - offset);
        if (hasFailed) throw new Error('EIO');
        setImmediate(() => {
          if (how === 'is taken back') onRevoked();
          if (how === 'never ends') onHang();
          hasFailed = how === 'fails later';
          if (hasFailed) onReady();
        });
        return undefined;
      };
      return { byteLength: 1_000_000, from, close };
    },
  };
}

interface HasClosed {
  closed: number;
}

void t.test('a body without its first bytes is 503, and a cut one never whole', async (t) => {
  const clock = fastClock(t);
  const onHang = (): void => {
    clock.leap(61_000);
  };
  let body = failingBody('fails at once', { onHang });
  const { port, counters, server } = await serveOnWire(t, ({ query }) =>
    query === 'later' ? new PendingAnswer(Promise.resolve(answerOf(body))) : answerOf(body),
  );
  for (const how of FIRST_READS) {
    for (const path of ['/body', '/body?later']) {
      for (const fields of [
        '',
        'Connection: close\r\n',
        'Content-Length: 0\r\n',
        'Content-Length: 1\r\n',
      ]) {
        const ask = async (): Promise<string> => {
          const socket = connect({ host: HOST, port });
          const content = fields.endsWith('1\r\n') ? 'x' : '';
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n${content}`);
          let received = '';
          socket.on('data', (chunk) => {
            received += chunk.toString('latin1');
            // The answer that is whole, or the first bytes of one that is not.
            if (received.includes('\r\n\r\n') && /^HTTP\/1\.1 503/.test(received)) socket.end();
          });
          socket.on('error', () => undefined);
          await once(socket, 'close');
          return received;
        };
        body = failingBody(how, { onHang });
        const refused = await ask();
        t.match(refused, /^HTTP\/1\.1 503 [^]*\r\nRetry-After: 5\r\n/i, `${how} ${path} ${fields}`);
        t.equal(body.closed, 1);
        body = failingBody(how, { readTo: 70_000, onHang });
        const cut = await ask();
        t.match(
          cut,
          /^HTTP\/1\.1 200 [^]*\r\nContent-Length: 1000000\r\n/i,
          'its length is stated',
        );
        t.ok(cut.length < 1_000_000);
        t.equal(body.closed, 1);
      }
    }
  }
  t.equal(counters.inFlight, 0);
  t.equal(server.largeAnswers, 0);
});

void t.test('an answer is abandoned when it takes too long, and its client gets 503', async (t) => {
  let abandoned = 0;
  const lost = new PendingAnswer(new Promise(() => undefined), () => {
    abandoned += 1;
  });
  const { port, counters } = await serveOnWire(t, () => lost, { answerDeadlineMs: 20 });
  const response = await ask(port);
  t.equal(response.statusCode, 503);
  t.equal(response.headers['retry-after'], '2');
  await buffer(response);
  t.equal(abandoned, 1);
  t.equal(counters.inFlight, 0);
});

void t.test('a refusal is counted, whatever fields are added to it', async (t) => {
  const busy = errorAnswer('busy');
  const noted = { ...busy, headers: withField(busy.headers, ['X-Ignored-Parameters', 'x']) };
  const { port, counters } = await serveOnWire(t, ({ query }) =>
    query === 'later' ? new PendingAnswer(Promise.resolve(noted)) : noted,
  );
  for (const query of ['', '?later']) t.equal((await ask(port, query)).statusCode, 503);
  t.equal(counters.counts.busyRejections, 2);
});

/** A body whose bytes arrive a turn after their request, like a file's. */
function lateBody(byteLength: number): LongBody {
  return {
    byteLength,
    residentBytes: 0,
    readingBytes: 0,
    openFiles: 0,
    open({ onReady }) {
      let readTo = 0;
      return {
        byteLength,
        from: (offset) => {
          if (offset < readTo) return bytesFrom(offset, readTo - offset);
          setImmediate(() => {
            readTo = Math.min(byteLength, readTo + CHUNK_BYTES);
            onReady();
          });
          return undefined;
        },
        close: () => undefined,
      };
    },
  };
}

void t.test('a body whose bytes come late is sent, whatever its length', async (t) => {
  let length = 0;
  const { port, counters } = await serveOnWire(t, () => {
    return { status: 200, headers: HEADERS, body: lateBody(length) };
  });
  const lengths = [1, 2, 1000, 8192, 16_384, 65_535, 65_536, 65_537, 100_000, 262_144, 1_000_003];
  for (length of lengths) {
    const bytes = await buffer(await ask(port));
    t.ok(bytes.equals(Buffer.from(bytesFrom(0, length))), `${length} bytes`);
  }
  t.equal(counters.inFlight, 0);
});
