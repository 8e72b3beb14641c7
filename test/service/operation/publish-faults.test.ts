/** A publisher that is killed, cannot write, is interrupted or meets another: the pointer always fits a document. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { FileStore } from '../../../src/snapshot/store/file/file-store.js';
import { publishDocument } from '../../../src/publishing/publish-document.js';
import { runBura, type CommandOptions } from '../../support/service/command.js';
import {
  generateDocument,
  snapshotDocument,
  writeDocument,
} from '../../support/documents/documents.js';
import { atLeast, chanceOf } from '../../support/faults/chance.js';
import { leftovers, verifiedActiveId } from '../../support/service/published.js';
import { eventually, inTime } from '../../support/service/service.js';

const FAULTS = ['--import', resolve('build/test/support/service/fault-at-call.js')];

interface Place {
  readonly namespace: string;
  /** Runs `bura` on this store. */
  readonly bura: (
    parameters: readonly string[],
    options?: CommandOptions,
  ) => ReturnType<typeof runBura>;
  /** A small document of its own id, as gzip. */
  readonly document: (snapshotId: string) => Promise<string>;
}

function place(folder: string): Place {
  return {
    namespace: join(folder, 'store/demo'),
    bura: (parameters, options = {}) =>
      runBura(parameters, {
        ...options,
        env: { SNAPSHOT_STORE: `file:${folder}/store`, ...options.env },
      }),
    document: async (snapshotId) => {
      const path = join(folder, `${snapshotId}.json.gz`);
      await writeDocument(path, snapshotDocument({ snapshot_id: snapshotId }));
      return path;
    },
  };
}

async function listedIds({ bura }: Place): Promise<readonly string[]> {
  const { code, stdout, stderr } = await bura(['list', '--json']);
  if (code !== 0) throw new Error(stderr);
  const listed = JSON.parse(stdout) as readonly { readonly snapshot_id: string }[];
  return listed.map(({ snapshot_id }) => snapshot_id);
}

void t.test(
  'killed before each call that changes the disk, it leaves the old pointer or the new',
  async (t) => {
    const here = place(t.testdir());
    const { bura, namespace } = here;
    t.equal((await bura(['publish', await here.document('old')])).code, 0);
    const root = dirname(namespace);
    const store = new FileStore({ address: `file:${root}`, root, keyPrefix: 'demo' });
    let active = 'old';
    let call = 0;
    for (let ended = false; !ended;) {
      call += 1;
      const id = `new-${call}`;
      const file = await here.document(id);
      const env = { FAULT: 'kill', FAULT_CALL: String(call) };
      const { code } = await bura(['publish', file], { env, nodeArguments: FAULTS });
      ended = code === 0;
      const found = await verifiedActiveId(namespace);
      t.ok(found === active || found === id, `call ${call}: ${String(found)}`);
      const listed = (await store.list()).map(({ snapshotId }) => snapshotId);
      t.ok(
        listed.includes(active) &&
          listed.every((each) => each === 'old' || each.startsWith('new-')),
      );
      await publishDocument({ store, file, activate: true });
      t.strictSame(await leftovers(namespace), []);
      t.equal(await verifiedActiveId(namespace), id);
      active = id;
    }
    t.ok(call > 6, `${call - 1} calls`);
  },
);

void t.test(
  'with each of those calls failing, it says so in one line and clears away',
  async (t) => {
    const here = place(t.testdir());
    const { bura, namespace } = here;
    t.equal((await bura(['publish', await here.document('old')])).code, 0);
    let active: string | undefined = 'old';
    for (let call = 1; ; call += 1) {
      const fault = call % 2 === 0 ? 'EIO' : 'ENOSPC';
      const id = `new-${call}`;
      const env = { FAULT: fault, FAULT_CALL: String(call) };
      const file = await here.document(id);
      const { code, stderr } = await bura(['publish', file], { env, nodeArguments: FAULTS });
      const found = await verifiedActiveId(namespace);
      t.strictSame(await leftovers(namespace), []);
      t.ok(found === active || found === id, `call ${call}: ${String(found)}`);
      if (code === 0) {
        t.equal(found, id);
        t.equal(stderr, '');
        t.ok(call > 6, `${call - 1} calls`);
        break;
      }
      t.equal(code, 1);
      t.match(stderr, new RegExp(`^bura: cannot (write|remove orphans).*${fault}.*\n$`));
      active = found;
    }
  },
);

void t.test(
  'a removal that is killed is done by the next one, and its id stays removed',
  async (t) => {
    const folder = t.testdir();
    const here = place(folder);
    const files = await Promise.all(['gone', 'active'].map((id) => here.document(id)));
    const killed = async (call: number): Promise<boolean> => {
      const root = join(folder, String(call));
      const namespace = join(root, 'demo');
      const store = new FileStore({ address: `file:${root}`, root, keyPrefix: 'demo' });
      for (const file of files) await publishDocument({ store, file, activate: true });
      const env = { SNAPSHOT_STORE: `file:${root}`, FAULT: 'kill', FAULT_CALL: String(call) };
      const { code } = await here.bura(['remove', 'gone'], { env, nodeArguments: FAULTS });
      const isListed = (await store.list()).some(({ snapshotId }) => snapshotId === 'gone');
      t.ok(isListed || (await store.isRemoved('gone')), `call ${call}`);
      t.equal(await verifiedActiveId(namespace), 'active');
      t.equal(await store.remove('gone', { withdraw: true }), isListed);
      t.match(await store.readPointer(), { pointer: { removed: ['gone'] } });
      const again = publishDocument({ store, file: files[0] ?? '', activate: true });
      await t.rejects(again, { code: 'snapshot_removed' });
      await store.removeOrphans();
      t.strictSame(await leftovers(namespace), []);
      return code === null;
    };
    const calls = Array.from({ length: 16 }, (_, index) => index + 1);
    const ends = await Promise.all(calls.map(killed));
    t.ok(ends.filter(Boolean).length > 5, ends.join());
    t.ok(ends.includes(false), 'and each call was met');
  },
);

void t.test(
  'killed at random moments, it leaves a store that lists, prunes and publishes',
  async (t) => {
    const { number: random } = chanceOf(t);
    const kills = atLeast(3);
    const folder = t.testdir();
    const here = place(folder);
    const { bura, namespace } = here;
    // Each once: what has been pruned is not stored again.
    const files = await Promise.all(
      Array.from({ length: kills + 2 }, async (_, index) => {
        const path = join(folder, `${index}-.json${index % 2 === 0 ? '' : '.gz'}`);
        await writeDocument(path, generateDocument({ hours: 150, snapshotId: `${index}-` }));
        return path;
      }),
    );
    const startedMs = performance.now();
    t.equal((await bura(['publish', files[0] ?? ''])).code, 0);
    // The fastest so far: the first one meets cold caches, and may be much slower than the rest.
    let wholeMs = performance.now() - startedMs;
    let killed = 0;
    for (let turn = 1; turn <= kills + 1; turn += 1) {
      const before = await verifiedActiveId(namespace);
      const file = files[turn] ?? '';
      // The first third is Node starting: nothing is written there. The last one has no chance to end before.
      const delayMs = turn > kills ? 0 : wholeMs * (0.3 + (0.9 * (turn - random())) / kills);
      const onStart = (child: ChildProcess): void => {
        setTimeout(() => child.kill('SIGKILL'), delayMs);
      };
      const turnMs = performance.now();
      const { code } = await bura(['publish', file], { onStart });
      if (code === null) killed += 1;
      else wholeMs = Math.min(wholeMs, performance.now() - turnMs);
      const after = await verifiedActiveId(namespace);
      t.ok(
        after === before || file.includes(`/${after ?? ''}.json`),
        `${delayMs.toFixed(0)} ms: ${after}`,
      );
      if (turn % 3 !== 0) continue;
      t.ok((await listedIds(here)).includes(after ?? ''));
      t.equal((await bura(['prune', '--keep', '1'])).code, 0);
      t.strictSame(await leftovers(namespace), []);
      t.equal((await bura(['publish', file])).code, 0);
    }
    t.ok(killed > 0, `${killed} of ${kills + 1} were killed before they had ended`);
  },
);

void t.test('two at once: each is stored whole, and one of them is active', async (t) => {
  const here = place(t.testdir());
  const { bura, namespace } = here;
  const files = await Promise.all(['a', 'b'].map((id) => here.document(id)));
  for (let turn = 0; turn < 2; turn += 1) {
    const results = await Promise.all(files.map((file) => bura(['publish', file])));
    t.strictSame(
      results.map(({ code, stderr }) => [code, stderr]),
      [
        [0, ''],
        [0, ''],
      ],
    );
    t.match(await verifiedActiveId(namespace), /^[ab]$/);
    t.strictSame([...(await listedIds(here))].sort(), ['a', 'b']);
    await rm(namespace, { recursive: true });
  }
});

void t.test(
  'two at once with one id: the same document twice is fine, of two others one is refused',
  async (t) => {
    const folder = t.testdir();
    const here = place(folder);
    const { bura, namespace } = here;
    const same = await here.document('same');
    const both = await Promise.all([bura(['publish', same]), bura(['publish', same])]);
    t.strictSame(
      both.map(({ code }) => code),
      [0, 0],
    );
    const others = await Promise.all(
      [1, 2].map(async (index) => {
        const path = join(folder, `${index}.json`);
        const generatedAt = `2026-09-1${index}T00:00:00Z`;
        await writeDocument(
          path,
          snapshotDocument({ snapshot_id: 'other', generated_at: generatedAt }),
        );
        return bura(['publish', path]);
      }),
    );
    t.strictSame(others.map(({ code }) => code).sort(), [0, 1]);
    t.match(
      others.find(({ code }) => code === 1)?.stderr,
      /^bura: other is stored already with other bytes.*\n$/,
    );
    t.equal(await verifiedActiveId(namespace), 'other');
    t.strictSame(await leftovers(namespace), []);
  },
);

void t.test('interrupted, it clears away and keeps the old pointer', async (t) => {
  const folder = t.testdir();
  const here = place(folder);
  const { bura, namespace } = here;
  t.equal((await bura(['publish', await here.document('old')])).code, 0);
  const file = join(folder, 'large.json');
  await writeDocument(file, generateDocument({ hours: 720, snapshotId: 'large' }));
  const other = ['moved', 'code', 'unit'].flatMap((name) => ['--allow', name]);
  // What is stored is in memory by then, so storing is over before a signal comes: `publish-document.unit.ts` aborts it.
  const interrupted = await bura(['publish', file, ...other], {
    onStart: (child) => {
      child.stdout?.once('data', () => child.kill('SIGINT'));
    },
  });
  t.match(interrupted, { code: 1, stdout: /^checking/, stderr: 'bura: interrupted\n' });
  t.equal(await verifiedActiveId(namespace), 'old');
  t.strictSame(await leftovers(namespace), []);
  const before = await readdir(folder);
  const { code } = await bura(
    ['build', '--from', 'data/demo', '--out', join(folder, 'built.json')],
    {
      onStart: (child) => {
        child.stdout?.on('data', () => child.kill('SIGTERM'));
      },
    },
  );
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
      t.match(stderr, /^(?:bura: note: redis:.*; it is tried again\n)?bura: redis:[^\n]+\n$/);
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
    // What the system ends has said nothing.
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
