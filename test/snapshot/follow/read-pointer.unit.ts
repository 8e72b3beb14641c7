/** Reading the pointer: a signal that lives as long as the process keeps nothing of any poll. */
import { getEventListeners } from 'node:events';
import t from 'tap';
import { readPointer } from '../../../src/snapshot/follow/read-pointer.js';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';

/** Listeners of a signal, and signals that are made of it, as Node holds them. */
function heldBy(signal: AbortSignal): number {
  const sets = Object.getOwnPropertySymbols(signal)
    .map((name): unknown => Reflect.get(signal, name))
    .filter((value) => value instanceof Set);
  return getEventListeners(signal, 'abort').length + sets.reduce((sum, { size }) => sum + size, 0);
}

void t.test('polls leave nothing behind, whatever they end with', async (t) => {
  const { signal } = new AbortController();
  const failures = [
    new SnapshotError('pointer_malformed', 'no JSON'),
    new SnapshotError('store_unreachable', 'away'),
  ];
  const kinds = new Set<string>();
  for (let at = 0; at < 10_000; at += 1) {
    const failure = failures[at % 3];
    const store = {
      readPointer: () =>
        failure === undefined
          ? Promise.resolve({ kind: 'absent' } as const)
          : Promise.reject(failure),
    };
    kinds.add((await readPointer(store, { limitMs: 60_000, signal })).kind);
  }
  t.same(kinds, new Set(['malformed', 'unreachable', 'absent']));
  t.equal(heldBy(signal), 0);
});

void t.test('an abort and the limit end a read that never answers', async (t) => {
  // Time limits keep no process alive.
  const alive = setInterval(() => undefined, 1000);
  t.teardown(() => {
    clearInterval(alive);
  });
  const asked: AbortSignal[] = [];
  const store = {
    readPointer: async (signal?: AbortSignal) => {
      if (signal !== undefined) asked.push(signal);
      return await new Promise<never>(() => undefined);
    },
  };
  const ending = new AbortController();
  const { signal } = ending;
  const late = await readPointer(store, { limitMs: 10, signal });
  t.same(late, { kind: 'unreachable', message: 'no answer in 10 ms' });
  const reading = readPointer(store, { limitMs: 60_000, signal });
  ending.abort();
  t.same(await reading, { kind: 'unreachable', message: 'called off' });
  t.same(await readPointer(store, { limitMs: 60_000, signal }), {
    kind: 'unreachable',
    message: 'called off',
  });
  t.ok(asked.length === 3 && asked.every(({ aborted }) => aborted), 'the store is told');
  t.equal(heldBy(signal), 0);
});
