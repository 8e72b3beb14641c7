/** The web store against a real server: conditional requests, absence, failures, bodies that end too early. */
import type { RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { HttpObjects } from '../../../../src/snapshot/store/http/http-objects.js';
import { openStore } from '../../../../src/snapshot/store/open.js';
import { encodePointer, type Pointer } from '../../../../src/snapshot/store/pointer.js';
import { SnapshotStore } from '../../../../src/snapshot/store/snapshot-store.js';
import { listenHttp } from '../../../support/service/listen-http.js';
import { holdPort } from '../../../support/service/ports.js';
import { codeOf } from '../../../support/stores/new-snapshot.js';

const POINTER: Pointer = {
  snapshotId: 'a',
  schemaVersion: '1.2.0',
  document: 'snapshots/a.json.gz',
  sizeBytes: 5,
  sha256: 'ab'.repeat(32),
  activatedAtMs: Date.UTC(2026, 8, 10),
};

/** A server on a free port, gone after the test. @param limitMs short, so that hanging takes little time. */
async function site(t: Test, answer: RequestListener, limitMs = 300) {
  const requests: Parameters<RequestListener>[0][] = [];
  const port = await listenHttp(t, (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const base = new URL(`http://127.0.0.1:${port}/store/`);
  const objects = new HttpObjects({
    address: base.href,
    base,
    keyPrefix: 'sepa',
    authorization: undefined,
    headTimeoutMs: limitMs,
    progressTimeoutMs: limitMs,
  });
  return { base, requests, store: new SnapshotStore(objects) };
}

void t.test('reads the pointer, and asks with its validators whether it has changed', async (t) => {
  const date = 'Thu, 10 Sep 2026 00:00:00 GMT';
  for (const [field, condition] of [
    ['etag', 'if-none-match'],
    ['last-modified', 'if-modified-since'],
  ] as const) {
    let pointer = POINTER;
    const { store, requests } = await site(t, (request, response) => {
      const validator = field === 'etag' ? `"${pointer.snapshotId}"` : date;
      const isKnown = request.headers[condition] === validator;
      if (isKnown) response.writeHead(304).end();
      else response.writeHead(200, { [field]: validator }).end(encodePointer(pointer));
    });
    for (let turn = 0; turn < 2; turn += 1) {
      t.strictSame(await store.readPointer(), { kind: 'pointer', pointer });
    }
    if (field === 'etag') {
      pointer = { ...POINTER, snapshotId: 'b' };
      t.strictSame(await store.readPointer(), { kind: 'pointer', pointer });
    }
    t.equal(requests[0]?.headers[condition], undefined);
    t.equal(requests[1]?.headers[condition], field === 'etag' ? '"a"' : date);
    t.equal(requests[1]?.url, '/store/sepa/active.json');
  }
});

void t.test('does not trust the validators of a pointer that is not two seconds old', async (t) => {
  let pointer = POINTER;
  // As of a server whose tags are made from seconds and sizes.
  const { store } = await site(t, (request, response) => {
    const headers = { etag: '"1-2"', 'last-modified': new Date().toUTCString() };
    if (request.headers['if-none-match'] === '"1-2"') response.writeHead(304).end();
    else response.writeHead(200, headers).end(encodePointer(pointer));
  });
  await store.readPointer();
  pointer = { ...POINTER, snapshotId: 'b' };
  t.strictSame(await store.readPointer(), { kind: 'pointer', pointer });
});

void t.test('404 and 410 say that no snapshot is active, until there is one', async (t) => {
  const statuses = [200, 404, 410, 200];
  const { store, requests } = await site(t, (_request, response) => {
    const status = statuses.shift() ?? 500;
    response.writeHead(status, { etag: '"a"' }).end(status === 200 ? encodePointer(POINTER) : '');
  });
  const kinds = [];
  for (let turn = 0; turn < 4; turn += 1) kinds.push((await store.readPointer()).kind);
  t.strictSame(kinds, ['pointer', 'absent', 'absent', 'pointer']);
  t.equal(requests[3]?.headers['if-none-match'], undefined);
});

void t.test('other statuses, redirects without end and to elsewhere are unreachable', async (t) => {
  const places = { loop: 'loop', file: 'file:///etc/passwd', bad: 'http://[' };
  const { store, base } = await site(t, (request, response) => {
    const wanted = request.url?.split('/').at(-1) ?? '';
    const location = new Map(Object.entries(places)).get(wanted);
    if (location === undefined) response.writeHead(Number(wanted)).end('x');
    else response.writeHead(302, { location }).end();
  });
  const statuses = ['500', '503', '401', '403', '206', '304'];
  for (const document of [...statuses, ...Object.keys(places)]) {
    const failure = { code: 'store_unreachable', message: new RegExp(base.href) };
    await t.rejects(store.openDocument({ snapshotId: 'a', document }), failure, document);
  }
  const missing = store.openDocument({ snapshotId: 'a', document: '404' });
  t.equal(await codeOf(missing), 'snapshot_missing');
});

void t.test('follows a redirect, and gives credentials to no other host', async (t) => {
  const elsewhere = await site(t, (_request, response) => response.end(encodePointer(POINTER)));
  const { base, requests } = await site(t, (request, response) => {
    const location =
      request.url === '/store/sepa/active.json'
        ? '/moved'
        : new URL('sepa/active.json', elsewhere.base).href;
    response.writeHead(307, { location }).end();
  });
  const address = base.href.replace('//', '//harvester:p%40ss@');
  const store = openStore({ address, keyPrefix: 'sepa' });
  t.strictSame(await store.readPointer(), { kind: 'pointer', pointer: POINTER });
  const expected = `Basic ${Buffer.from('harvester:p@ss').toString('base64')}`;
  for (const { headers } of requests) t.equal(headers.authorization, expected);
  t.equal(requests.length, 2);
  t.equal(elsewhere.requests[0]?.headers.authorization, undefined);
  t.equal(store.address, base.href);
});

void t.test('a server that says nothing, or not all, is given up in time', async (t) => {
  const answers: readonly RequestListener[] = [
    () => undefined,
    (_request, response) => response.writeHead(200).write('{'),
    (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{', () => response.socket?.destroy());
    },
    // In chunks.
    (_request, response) => response.write('{', () => response.destroy()),
    // The connection ends: RFC 9112 section 6.3, rule 8.
    ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{'),
  ];
  const stores = await Promise.all(answers.map(async (answer) => (await site(t, answer)).store));
  const address = `http://u:secret@127.0.0.1:${await holdPort(t)}/`;
  const refused = openStore({ address, keyPrefix: 'sepa' });
  const failure = { code: 'store_unreachable', message: /^(?!.*secret)/s };
  for (const store of [...stores.slice(0, -1), refused]) {
    await t.rejects(store.readPointer(), failure);
  }
  for (const store of [...stores, refused]) {
    await t.rejects(store.openDocument(POINTER).then(buffer), failure);
  }
});

void t.test('bodies are taken as they are; a pointer that is none is malformed', async (t) => {
  const stored = gzipSync(encodePointer(POINTER));
  const malformed = ['{', 'x'.repeat(70_000), JSON.stringify({ snapshot_id: '../x' })];
  const { store, requests } = await site(t, (_request, response) => {
    const body = requests.length > 2 ? malformed.shift() : undefined;
    if (body !== undefined) response.end(body);
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(stored);
  });
  const document = await store.openDocument({ snapshotId: 'a' });
  t.strictSame(await buffer(document), stored, 'byte for byte');
  t.equal(requests[0]?.url, '/store/sepa/snapshots/a.json.gz');
  t.equal(requests[0]?.headers['accept-encoding'], 'identity');
  t.strictSame(await store.readPointer(), { kind: 'pointer', pointer: POINTER }, 'unpacked');
  for (let turn = 0; turn < 3; turn += 1) {
    t.equal(await codeOf(store.readPointer()), 'pointer_malformed');
  }
});

void t.test('a body without end is not read to its end', async (t) => {
  for (const headers of [{}, { 'content-length': 2 ** 40 }]) {
    let sent = 0;
    const endless = (response: ServerResponse): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
      if (!response.destroyed) response.once('drain', endless.bind(undefined, response));
    };
    // Megabytes take a busy machine longer.
    const { store } = await site(
      t,
      (_request, response) => {
        endless(response.writeHead(200, headers));
      },
      10_000,
    );
    t.equal(await codeOf(store.readPointer()), 'pointer_malformed');
    t.ok(sent < 50_000_000, `${sent} bytes`);
    const stream = await store.openDocument({ ...POINTER, sizeBytes: 100_000 });
    t.equal((await buffer(stream)).length, 100_001, 'a byte more than its size');
  }
});

void t.test('a body that stops, or only trickles, is given up in time', async (t) => {
  const { store } = await site(t, (request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 });
    response.write('x'.repeat(500));
    if (!request.url?.endsWith('trickle')) return;
    const drop = setInterval(() => response.write('x'), 20);
    response.on('close', () => {
      clearInterval(drop);
    });
  });
  for (const document of ['stop', 'trickle']) {
    const stream = await store.openDocument({ snapshotId: 'a', document });
    await t.rejects(buffer(stream), { code: 'store_unreachable', message: /no progress/ });
  }
});

void t.test('a reader that takes its time is not the fault of the store', async (t) => {
  const body = Buffer.alloc(3_000_000, 'x');
  const { store } = await site(t, (_request, response) => response.end(body));
  let length = 0;
  const chunks: AsyncIterable<Uint8Array> = await store.openDocument({ snapshotId: 'a' });
  for await (const chunk of chunks) {
    // Longer than the deadline for progress.
    if (length === 0) await delay(500);
    length += chunk.byteLength;
  }
  t.equal(length, body.length);
});

void t.test('an abort ends the wait for a head, a pointer and a document', async (t) => {
  const { store } = await site(t, (request, response) => {
    if (request.url?.endsWith('hang')) return;
    response.writeHead(200, { 'content-length': 1000 });
    response.write('{');
  });
  const aborted = { name: 'AbortError' };
  const soon = () => {
    const controller = new AbortController();
    setImmediate(() => {
      controller.abort();
    });
    return controller.signal;
  };
  await t.rejects(store.openDocument({ snapshotId: 'a', document: 'hang' }, soon()), aborted);
  await t.rejects(store.readPointer(soon()), aborted);
  const controller = new AbortController();
  const stream = await store.openDocument(POINTER, controller.signal);
  const read = buffer(stream);
  controller.abort();
  await t.rejects(read, aborted);
  await t.rejects(store.readPointer(AbortSignal.abort()), aborted);
});
