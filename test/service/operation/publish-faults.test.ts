/** A publisher that is killed, cannot write or is interrupted: the pointer always fits a document. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { publishDocument } from '../../../src/publishing/publish-document.js';
import { chanceOf, scaled } from '../../support/faults/chance.js';
import { runBura, runBuras, type CommandOptions } from '../../support/service/command.js';
import {
  generateDocument,
  snapshotDocument,
  writeDocument,
} from '../../support/documents/documents.js';
import { leftovers, verifiedActiveId } from '../../support/service/published.js';
import { eventually, inTime } from '../../support/service/service.js';
import { writableStore } from '../../support/stores/open-writable.js';

/** One call in three, from a random one on; all of them where `FAULTS_SCALE` is more than one. */
const STEP = scaled(1) > 1 ? 1 : 3;

const FAULTS = ['--import', resolve('build/test/support/service/fault-at-call.js')];

function place(folder: string) {
  return {
    namespace: join(folder, 'store/demo'),
    /** Runs `bura` on this store. */
    bura: (parameters: readonly string[], options: CommandOptions = {}) =>
      runBura(parameters, {
        ...options,
        env: { SNAPSHOT_STORE: `file:${folder}/store`, ...options.env },
      }),
    /** A small document with an id, as gzip. */
    document: async (snapshotId: string): Promise<string> => {
      const path = join(folder, `${snapshotId}.json.gz`);
      await writeDocument(path, snapshotDocument({ snapshot_id: snapshotId }));
      return path;
    },
  };
}

/** A new store below the folder with these documents, the last one active. */
async function filledStore(folder: string, documents: readonly string[]) {
  const namespace = join(folder, 'demo');
  const store = writableStore({ address: `file:${folder}`, keyPrefix: 'demo' });
  for (const file of documents) await publishDocument({ store, file, activate: true });
  return { namespace, store };
}

void t.test(
  'killed before any call that changes the disk, a command is done by the next',
  async (t) => {
    const chance = chanceOf(t);
    const folder = t.testdir();
    const { bura, document } = place(folder);
    const names = ['new', 'gone', 'old'];
    const [fresh = '', gone = '', old = ''] = await Promise.all(names.map(document));
    const commands = [
      ['publish', fresh],
      ['remove', 'gone'],
    ];
    for (const [at, command] of commands.entries()) {
      let calls = chance.integer(STEP) + 1 - STEP;
      for (let ended = false; !ended;) {
        calls += STEP;
        const root = join(folder, `${at}-${calls}`);
        const { namespace, store } = await filledStore(root, [gone, old]);
        const env = { SNAPSHOT_STORE: `file:${root}`, FAULT: 'kill', FAULT_CALL: String(calls) };
        const { code } = await bura(command, { env, nodeArguments: FAULTS });
        ended = code === 0;
        const active = await verifiedActiveId(namespace);
        const listed = (await store.list()).map(({ snapshotId }) => snapshotId);
        t.ok(listed.includes(String(active)), `call ${calls}: ${String(active)}`);
        if (command[0] === 'publish') {
          t.ok(active === 'old' || active === 'new', String(active));
          await publishDocument({ store, file: fresh, activate: true });
          t.equal(await verifiedActiveId(namespace), 'new');
        } else {
          t.equal(active, 'old');
          const isListed = listed.includes('gone');
          t.ok(isListed || (await store.isRemoved('gone')), `call ${calls}`);
          t.equal(await store.remove('gone', { withdraw: true }), isListed);
          t.match(await store.readPointer(), { pointer: { removed: ['gone'] } });
          const again = publishDocument({ store, file: gone, activate: true });
          await t.rejects(again, { code: 'snapshot_removed' });
          await store.objects.removeOrphans();
        }
        t.strictSame(await leftovers(namespace), []);
      }
      t.ok(calls > 5, `${calls - 1} calls`);
    }
  },
);

void t.test(
  'with any of those calls failing, it says so in one line and clears away',
  async (t) => {
    const folder = t.testdir();
    const { document } = place(folder);
    const fresh = await document('new');
    const roots = Array.from({ length: 20 }, (_, at) => join(folder, `${at}`));
    const documents = [await document('gone'), await document('old')];
    const stores = await Promise.all(roots.map((root) => filledStore(root, documents)));
    const results = await runBuras(
      roots.map((root) => ['publish', fresh, '--snapshot-store', `file:${root}`]),
      { env: { FAULT: 'ENOSPC', FAULT_CALL: '1' }, nodeArguments: FAULTS },
    );
    const failed = results.filter(({ code }) => code !== 0);
    t.ok(failed.length > 5 && failed.length < roots.length, `${failed.length} calls`);
    for (const [at, { namespace }] of stores.entries()) {
      const { code, stderr = '' } = results[at] ?? {};
      const active = await verifiedActiveId(namespace);
      t.strictSame(await leftovers(namespace), [], `call ${at + 1}`);
      if (code === 0) t.strictSame([active, stderr], ['new', '']);
      else t.match(stderr, /^bura: cannot (?:write|remove orphans)[^\n]*ENOSPC[^\n]*\n$/);
      t.ok(active === 'old' || active === 'new', `call ${at + 1}: ${String(active)}`);
    }
  },
);

void t.test('interrupted, it clears away and keeps the old pointer', async (t) => {
  const folder = t.testdir();
  const { bura, document, namespace } = place(folder);
  t.equal((await bura(['publish', await document('old')])).code, 0);
  const file = join(folder, 'large.json');
  await writeDocument(file, generateDocument({ hours: 720, snapshotId: 'large' }));
  const other = ['moved', 'code', 'unit'].flatMap((name) => ['--allow', name]);
  // The document is in memory by then, so storing is over before a signal comes: `publish-document.unit.ts` aborts it.
  const interrupted = await bura(['publish', file, ...other], {
    onStart: (child) => {
      child.stdout?.once('data', () => child.kill('SIGINT'));
    },
  });
  t.match(interrupted, { code: 1, stdout: /^checking/, stderr: 'bura: interrupted\n' });
  t.equal(await verifiedActiveId(namespace), 'old');
  t.strictSame(await leftovers(namespace), []);
  const before = await readdir(folder);
  const words = ['build', '--from', 'data/demo', '--out', join(folder, 'built.json')];
  const { code } = await bura(words, {
    onStart: (child) => {
      child.stdout?.on('data', () => child.kill('SIGTERM'));
    },
  });
  t.equal(code, 1);
  t.strictSame(await readdir(folder), before);
});

/** A Redis server that resets every connection, or that is silent; it calls back with each connection. */
async function awayServer(
  t: Test,
  kind: 'resets' | 'silent',
  onConnection: () => void,
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (kind === 'resets') socket.resetAndDestroy();
    else t.teardown(() => socket.destroy());
    onConnection();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

void t.test('a store that is away is waited for once, and for a minute', async (t) => {
  const here = place(t.testdir());
  const file = await here.document('one');
  const fast = pathToFileURL(resolve('build/test/support/faults/fast-clock.js')).href;
  const commands = [
    ['publish', file],
    ['publish', file, '--dry-run'],
    ['activate', 'one'],
  ];
  const attempts = await Promise.all(
    commands.map(async (command) => {
      let connections = 0;
      const store = await awayServer(t, 'resets', () => (connections += 1));
      const { code, stderr } = await here.bura(command, {
        env: { SNAPSHOT_STORE: store },
        nodeArguments: ['--import', `${fast}?times=30`],
      });
      t.equal(code, 1);
      // A machine that is busy may have no moment for the note within two seconds of a minute that is this short.
      t.match(stderr, /^(?:bura: note: redis:.*; it will be tried again\n)?bura: redis:[^\n]+\n$/);
      return connections;
    }),
  );
  // Every five seconds at the least after the first ones, and every two and a half at the most.
  for (const [at, count] of attempts.entries()) {
    t.ok(count > 1 && count < 26, `${String(commands[at]?.join(' '))}: ${count} attempts`);
  }
});

void t.test('who waits for a store is interrupted at any time', async (t) => {
  const folder = t.testdir();
  const here = place(folder);
  t.equal((await here.bura(['publish', await here.document('old')])).code, 0);
  const file = await here.document('new');
  /** How a command ends that is sent the signal when the store has been asked. */
  const ended = async (
    command: readonly string[],
    signal: NodeJS.Signals,
    kind: 'resets' | 'silent',
  ) => {
    let child: ChildProcess | undefined;
    let isSent = false;
    const store = await awayServer(t, kind, () => {
      // A second one would end it as the system does.
      if (!isSent) isSent = child?.kill(signal) ?? false;
    });
    const onStart = (started: ChildProcess): void => void (child = started);
    const result = here.bura(command, { env: { SNAPSHOT_STORE: store }, onStart });
    const { code, stderr } = await inTime(result, command.join(' '), 15_000);
    return [code, child?.signalCode, stderr];
  };
  // It may have seen the reset before the signal.
  const said = [1, null, /^(?:bura: note: [^\n]+\n)?bura: interrupted\n$/];
  const endings = [
    ended(['publish', file], 'SIGINT', 'resets').then((end) => t.match(end, said)),
    ended(['publish', file], 'SIGTERM', 'silent').then((end) => t.match(end, said)),
    ended(['activate', 'old'], 'SIGTERM', 'resets').then((end) => t.match(end, said)),
    // A command that the system ends has printed nothing.
    ended(['prune', '--keep', '1'], 'SIGINT', 'silent').then((end) =>
      t.strictSame(end, [null, 'SIGINT', '']),
    ),
  ];
  await Promise.all(endings);

  // A disk that hangs keeps neither.
  const disk = join(folder, 'store');
  execFileSync('mkfifo', [`${disk}.hangs`]);
  let child: ChildProcess | undefined;
  const hanging = here.bura(['publish', file], {
    env: { HANGING_DISK: disk },
    nodeArguments: ['--import', resolve('build/test/support/faults/hanging-disk.js')],
    onStart: (started) => void (child = started),
  });
  await eventually('it looks at the disk', async () =>
    (await readFile(`${disk}.calls`, 'utf8').catch(() => '')).includes('cli.js'),
  );
  child?.kill('SIGINT');
  t.match(await inTime(hanging, 'the end', 15_000), { code: null, stderr: '' });
  t.equal(child?.signalCode, 'SIGINT');
  await rm(`${disk}.hangs`);
  t.equal(await verifiedActiveId(here.namespace), 'old');
  t.strictSame(await leftovers(here.namespace), []);
});
