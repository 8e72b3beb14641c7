/** A store with an archive, and what tests do with it. */
import { execFileSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import type { Snapshot } from '../../../../src/snapshot/domain/model.js';
import {
  addToArchive,
  type ReadAddition,
} from '../../../../src/publishing/archive/add-to-archive.js';
import { chanceOf, type Chance } from '../../../support/faults/chance.js';
import {
  COMMAND,
  runBura,
  type CommandOptions,
  type CommandResult,
} from '../../../support/service/command.js';
import { storedAs } from '../../../support/stores/new-snapshot.js';
import { writableStore } from '../../../support/stores/open-writable.js';
import type { StoredFile } from '../../../support/stores/stored-archive.js';
import type { Step } from './archive-world.js';

/** An empty store, and ways to damage it. */
interface ArchivePlace {
  readonly address: string;
  /** Replaces a byte of an object. */
  readonly flip: (name: string, at: number) => Promise<void>;
  /** Makes an object appear two days older. */
  readonly age: (name: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

/** How a command ends, and what it prints: a text that is contained, or a pattern. */
interface Outcome {
  readonly code?: number;
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
}

export type Place = ArchivePlace & ReturnType<typeof placeOn> & { readonly folder: string };
export type MakePlace = (t: Test, folder: string) => Promise<ArchivePlace>;

/** Actions of tests on the archive of a store. */
export function placeOn(t: Test, address: string) {
  const store = writableStore({ address, keyPrefix: 'demo' });
  t.teardown(() => {
    store.close();
  });
  const bura = (words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> =>
    runBura(words, { ...options, env: { SNAPSHOT_STORE: address, ...options.env } });
  /** Runs a command, which must end in this way; default: well, and without a note. */
  const run = async (words: readonly string[], outcome: Outcome = {}): Promise<void> => {
    t.match(await bura(words), { code: 0, ...outcome }, words.join(' '));
  };
  const indexText = async (): Promise<string> =>
    Buffer.from((await store.objects.read('archive/index.json')) ?? []).toString();
  return {
    objects: store.objects,
    read: async (name: string): Promise<Buffer> =>
      await buffer(await store.objects.open(`archive/${name}`)),
    bura,
    run,
    /** Runs `bura archive`; units of the worlds change. */
    archive: (words: readonly string[], outcome: Outcome = { stderr: /^$/ }): Promise<void> =>
      run(archiving(words), outcome),
    /** Stores the snapshots without activating them. */
    store: async (steps: readonly Step[]): Promise<void> => {
      for (const { id, document } of steps) {
        await store.store(storedAs(id, gzipSync(JSON.stringify(document))));
      }
    },
    indexText,
    files: async (): Promise<readonly StoredFile[]> => {
      const text = await indexText();
      return text === '' ? [] : (JSON.parse(text) as { files: StoredFile[] }).files;
    },
    /** Names of all stored Parquet files, whether the index names them or not. */
    stored: async (): Promise<readonly string[]> => {
      const objects = await store.objects.list('archive');
      return objects.flatMap(({ name }) => (name.endsWith('.parquet') ? name : [])).sort();
    },
    /** Kills `bura archive` after a time. */
    kill: async (words: readonly string[], afterMs: number): Promise<void> => {
      await bura(archiving(words), {
        onStart: (child) => {
          void after(afterMs).then(() => child.kill('SIGKILL'));
        },
      });
    },
    /** Adds to the archive, to which another process adds a snapshot just before the index is replaced. */
    addDuring: async (added: Snapshot | ReadAddition, other: Step): Promise<void> => {
      let merges = 0;
      await addToArchive(store.objects, added, {
        signal: new AbortController().signal,
        refuse: () => undefined,
        onProgress: (step, done) => {
          if (step !== 'archiving' || done > 0) return;
          merges += 1;
          if (merges > 1) return;
          const env = { SNAPSHOT_STORE: address };
          execFileSync(process.execPath, [COMMAND, ...archiving([other.id])], { env });
        },
      });
      t.equal(merges, 2, 'it has merged anew');
    },
  };
}

export function archiving(words: readonly string[]): readonly string[] {
  return ['archive', ...words, '--allow', 'unit'];
}

/** Registers a test for one kind of store, with an empty store and a folder. */
export function testerOf(kind: string, makePlace: MakePlace) {
  return (name: string, body: (t: Test, place: Place, chance: Chance) => Promise<void>): void => {
    void t.test(`${kind}: ${name}`, async (t) => {
      const folder = t.testdir();
      const place = await makePlace(t, folder);
      await body(t, { ...place, folder, ...placeOn(t, place.address) }, chanceOf(t));
    });
  };
}
