/** A publisher that is killed, cannot write, is interrupted or meets another: the pointer always fits a document. */
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import t from 'tap';
import { FileStore } from '../../../src/snapshot/store/file/file-store.js';
import { publishDocument } from '../../../src/publishing/publish-document.js';
import { runBura, type CommandOptions } from '../../support/service/command.js';
import {
  generateDocument,
  snapshotDocument,
  writeDocument,
} from '../../support/documents/documents.js';
import { chanceOf, scaled } from '../../support/faults/chance.js';
import { leftovers, verifiedActiveId } from '../../support/service/published.js';

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
      await store.removeOrphans();
      t.strictSame(await leftovers(namespace), []);
      await publishDocument({ store, file, activate: true });
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
      t.match(stderr, new RegExp(`^bura: cannot write .*${fault}.*\n$`));
      active = found;
    }
  },
);

void t.test(
  'killed at random moments, it leaves a store that lists, prunes and publishes',
  async (t) => {
    const { number: random } = chanceOf(t);
    const kills = scaled(3);
    const folder = t.testdir();
    const here = place(folder);
    const { bura, namespace } = here;
    const files = await Promise.all(
      ['a.json', 'b.json.gz', 'c.json', 'd.json.gz', 'e.json'].map(async (name, index) => {
        const path = join(folder, name);
        const document = generateDocument({
          hours: 150,
          snapshotId: name.slice(0, 1),
          seed: index,
        });
        await writeDocument(path, document);
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
      const file = files[turn % files.length] ?? '';
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
        after === before || file.includes(`${after ?? ''}.json`),
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
  for (const step of ['checking', 'compressing', 'storing']) {
    const onStart = (child: ChildProcess): void => {
      child.stdout?.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes(step)) child.kill('SIGINT');
      });
    };
    const { code, stderr } = await bura(['publish', file], { onStart });
    t.equal(code, 1, step);
    t.equal(stderr, 'bura: interrupted\n');
    t.equal(await verifiedActiveId(namespace), 'old');
    t.strictSame(await leftovers(namespace), []);
  }
});
