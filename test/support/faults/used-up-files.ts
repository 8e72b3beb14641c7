/**
 * Preloaded into the command and its processes (`node --import`): at SIGUSR2 a process opens all files that it may; at the
 * next one it closes and opens them in turn, every few milliseconds; at the third it closes them for good.
 */
import { closeSync, openSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** What the process lets go of meanwhile is taken too. */
const TAKE_MS = 2;

const held: number[] = [];
let taking: NodeJS.Timeout | undefined;

function takeAll(): void {
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch {
    // There are none left.
  }
}

function closeAll(): void {
  for (const file of held.splice(0)) closeSync(file);
}

const STATES: readonly (() => void)[] = [
  () => undefined,
  takeAll,
  () => {
    if (held.length === 0) takeAll();
    else closeAll();
  },
];
let state = 0;

function onSignal(): void {
  clearInterval(taking);
  state = (state + 1) % STATES.length;
  const act = STATES[state];
  if (state === 0) closeAll();
  else if (act !== undefined) {
    act();
    taking = setInterval(act, TAKE_MS).unref();
  }
}

if (isMainThread) process.on('SIGUSR2', onSignal);
