/**
 * Follows a pointer, for tests: with a real file store, real imports in their own process, and a clock that the test
 * moves. Later tests of a file get a copy of a document that was imported before.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, watch } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Test } from 'tap';
import type { FollowEvent } from '../../../src/snapshot/follow/follow-event.js';
import { follow } from '../../../src/snapshot/follow/follow.js';
import type { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import type { ActiveState } from '../../../src/snapshot/domain/active-state.js';
import type { Pointer } from '../../../src/snapshot/store/pointer.js';
import { importSnapshot } from '../../../src/supervisor/importer.js';
import { TestClock } from './manual-clock.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { writePointer as putPointer } from '../../support/faults/spoiled-store.js';
import { copyFolder } from '../../support/service/copy-folders.js';
import {
  activePointer as pointerOf,
  inTime,
  makeRoot,
  publish,
  storeOf,
} from '../../support/service/service.js';

export { breakStore } from '../../support/faults/spoiled-store.js';

export const FORMER_MS = 15 * 60_000;
export const POLL_MS = 2000;
export const OUTAGE_POLL_MS = 5000;
export const HOUR_MS = 3_600_000;
export const BUILD = 'abcd0123';

type EventOf<K extends FollowEvent['kind']> = Extract<FollowEvent, { kind: K }>;

type Following = Awaited<ReturnType<typeof startFollowing>>;

/** Set by tests while it follows. */
interface Faults {
  inUse: ReadonlySet<string>;
  refuses: boolean;
  failImport: SnapshotError | undefined;
  /** Imports begin after this promise, unless they are aborted. */
  holdImport: Promise<unknown> | undefined;
  /** Imports begin after this promise, even where they are aborted. */
  hangImport: Promise<unknown> | undefined;
}

interface Start {
  readonly root?: string;
  readonly clock?: TestClock;
  readonly graceMs?: number;
  readonly refuses?: boolean;
}

export async function startFollowing(t: Test, start: Start = {}) {
  const { root = await makeRoot(t), clock = new TestClock() } = start;
  const { graceMs = HOUR_MS, refuses = false } = start;
  const copies = join(root, 'local', 'demo');
  // In the service, the lock makes this folder.
  await mkdir(copies, { recursive: true });
  const folder = join(root, 'store', 'demo');
  await mkdir(folder, { recursive: true }).catch(() => undefined);
  const store = storeOf({ root });
  // This store notifies of changes, because the test's clock stands still; other file stores are polled.
  store.watch = (onChange) => {
    try {
      return watch(folder, { persistent: false }, onChange).on('error', () => undefined);
    } catch {
      return { close: () => undefined };
    }
  };
  const events: FollowEvent[] = [];
  const untaken: FollowEvent[] = [];
  let hear = (): void => undefined;
  let served: ActiveState | undefined;
  let date: number | undefined;
  let former: readonly string[] = [];
  const none = { failImport: undefined, holdImport: undefined, hangImport: undefined };
  const faults: Faults = { inUse: new Set(), refuses, ...none };
  /** Resolves with the next event of a kind that no call has returned yet. */
  const next = async <K extends FollowEvent['kind']>(kind: K): Promise<EventOf<K>> => {
    const found = new Promise<EventOf<K>>((resolve) => {
      hear = () => {
        const index = untaken.findIndex((event) => event.kind === kind);
        const event = untaken[index];
        if (event === undefined || !isOf(event, kind)) return;
        untaken.splice(0, index + 1);
        hear = () => undefined;
        resolve(event);
      };
      hear();
    });
    return await inTime(found, `the event ${kind}; so far ${JSON.stringify(events)}`);
  };
  const follower = await follow({
    store,
    expectedSchemaVersion: '1.2.0',
    build: BUILD,
    directory: copies,
    pollMs: POLL_MS,
    graceMs,
    clock,
    importSnapshot: async (pointer, signal) => {
      if (faults.failImport) throw faults.failImport;
      await faults.hangImport;
      await Promise.race([faults.holdImport, once(signal, 'abort')]);
      await importOnce({ root, copies, pointer }, signal);
    },
    apply: (serving) => {
      if (serving.kind === 'unavailable') served = serving;
      else if (faults.refuses) return Promise.resolve(false);
      else {
        const { kind, snapshotId, directory, build } = serving;
        date = serving.lastModified;
        former = serving.former ?? [];
        served = { kind, snapshotId, directory, build };
      }
      return Promise.resolve(true);
    },
    inUse: () => faults.inUse,
    report: (event) => {
      events.push(event);
      untaken.push(event);
      hear();
    },
  });
  t.teardown(() => follower.stop());
  return Object.assign(faults, {
    root,
    copies,
    clock,
    events,
    follower,
    next,
    count: (kind: FollowEvent['kind']) => events.filter((event) => event.kind === kind).length,
    /** The active state, without its dates. */
    serving: () => served,
    /** `Last-Modified` of the active snapshot. */
    date: () => date,
    /** Directories of the copies that are kept for their bulk files. */
    former: () => former,
    /** Delays every import until the returned function is called. */
    delay: (how: 'holdImport' | 'hangImport'): (() => void) => {
      let end = (): void => undefined;
      faults[how] = new Promise<void>((resolve) => {
        end = resolve;
      });
      return () => {
        faults[how] = undefined;
        end();
      };
    },
    /** Publishes small documents with these ids, and waits for each until it is active. */
    publish: async (...ids: readonly string[]): Promise<void> => {
      for (const id of ids) {
        await publish({ root }, snapshotDocument({ snapshot_id: id }));
        await next('activated');
      }
    },
  });
}

export async function restart(t: Test, from: Following, start: Start & { afterMs?: number } = {}) {
  await from.follower.stop();
  const clock = from.clock.restarted(start.afterMs ?? 1000);
  return await startFollowing(t, { root: from.root, clock, ...start });
}

const imported = new Map<string, string>();
const importedRoot = await mkdtemp(join(tmpdir(), 'bura-imported-'));
process.once('exit', () => {
  rmSync(importedRoot, { recursive: true, force: true });
});

async function importOnce(
  of: { readonly root: string; readonly copies: string; readonly pointer: Pointer },
  signal: AbortSignal,
): Promise<void> {
  const { root, copies, pointer } = of;
  const { snapshotId, sha256 } = pointer;
  const bytes = await readFile(join(root, 'store', 'demo', pointer.document)).catch(() => '');
  const isGood = createHash('sha256').update(bytes).digest('hex') === sha256;
  const name = [snapshotId, sha256, BUILD].join('~');
  const isFree = !(await readdir(copies)).includes(name);
  const known = imported.get(name);
  if (known !== undefined && isGood && isFree && !signal.aborted) {
    const temporary = join(copies, `~${process.pid}-${snapshotId}`);
    await cp(known, temporary, { recursive: true });
    await rename(temporary, join(copies, name));
    return;
  }
  const made = await importSnapshot(
    {
      store: { address: `file:${join(root, 'store')}`, keyPrefix: 'demo' },
      pointer,
      expectedSchemaVersion: '1.2.0',
      build: BUILD,
      directory: copies,
      threads: 1,
    },
    { deadlineMs: 60_000, signal },
  );
  const kept = join(await mkdtemp(join(importedRoot, 'copy-')), basename(made.directory));
  await cp(made.directory, kept, { recursive: true, filter: (path) => !path.endsWith('lock.mdb') });
  imported.set(name, kept);
}

function isOf<K extends FollowEvent['kind']>(event: FollowEvent, kind: K): event is EventOf<K> {
  return event.kind === kind;
}

export const served = (copies: string, snapshotId: string): ActiveState => ({
  kind: 'snapshot',
  snapshotId,
  directory: copyFolder(copies, snapshotId, BUILD),
  build: BUILD,
});

export const activePointer = (root: string): Promise<Pointer> => pointerOf({ root });

export const writePointer = (root: string, text: string): Promise<void> =>
  putPointer({ published: join(root, 'store', 'demo') }, text);

/** Ids of the existing copies. */
export const copiesIn = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory))
    .filter((name) => !name.startsWith('~'))
    .map((name) => name.replace(new RegExp(`~[0-9a-f]{64}~${BUILD}$`), ''));
