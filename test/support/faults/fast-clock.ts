/**
 * Preloaded (`node --import URL?times=N`): makes timers and the monotonic clock of this process N times as fast. The wall
 * clock keeps its speed; limits by `AbortSignal.timeout` are shortened only with `&signals`.
 */
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers';
import promises from 'node:timers/promises';

const { searchParams } = new URL(import.meta.url);
const times = Number(searchParams.get('times'));

const now = performance.now.bind(performance);
performance.now = () => now() * times;

const { setTimeout, setInterval } = globalThis;
const shortened = (ms = 0): number => ms / times;
type Start = (act: (...of: unknown[]) => void, ms?: number, ...of: unknown[]) => NodeJS.Timeout;
const startingFast =
  (start: Start): Start =>
  (act, ms, ...of) =>
    start(act, shortened(ms), ...of);
const fast = {
  setTimeout: startingFast(setTimeout),
  setInterval: startingFast(setInterval),
};
Object.assign(globalThis, fast);
Object.assign(timers, fast);

const timeout = AbortSignal.timeout.bind(AbortSignal);
if (searchParams.has('signals')) AbortSignal.timeout = (ms) => timeout(Math.ceil(shortened(ms)));

const wait = promises.setTimeout;
Object.assign(promises, {
  setTimeout: <T>(ms?: number, value?: T, options?: Parameters<typeof wait>[2]) =>
    wait(shortened(ms), value, options),
});
syncBuiltinESMExports();
