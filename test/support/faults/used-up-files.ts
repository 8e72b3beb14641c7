/**
 * Preloaded into the command and its processes (`node --import`): SIGUSR2 uses up all file descriptors, SIGURG uses up
 * and frees them in turn, SIGWINCH frees them. The signals differ, because a pending one absorbs its repetition.
 */
import { closeSync, openSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Interval at which descriptors are taken again, as the process closes some meanwhile. */
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
