/**
 * Preloaded into the command and its processes (`node --import`): at SIGUSR2 a process opens all files that it may; at
 * SIGURG it closes and opens them in turn, every few milliseconds; at SIGWINCH it closes them for good. A signal that comes
 * while the same one is pending would be lost, so that each is another one.
 */
import { closeSync, openSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Descriptors that the process closes meanwhile are taken too. */
const TAKE_MS = 2;

const held: number[] = [];
let taking: NodeJS.Timeout | undefined;

function takeAll(): void {
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch {
    // No descriptors are left.
  }
}

function closeAll(): void {
  for (const file of held.splice(0)) closeSync(file);
}

function repeat(act: () => void): void {
  clearInterval(taking);
  act();
  taking = setInterval(act, TAKE_MS).unref();
}

if (isMainThread) {
  process.on('SIGUSR2', () => {
    repeat(takeAll);
  });
  process.on('SIGURG', () => {
    repeat(() => {
      if (held.length === 0) takeAll();
      else closeAll();
    });
  });
  process.on('SIGWINCH', () => {
    clearInterval(taking);
    closeAll();
  });
}
