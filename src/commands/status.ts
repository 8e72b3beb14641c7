/** `bura status`: asks the instance that runs with LOCAL_DIR, through the lock of that directory, what it serves. */
import { join, resolve } from 'node:path';
import { isInstanceStatus } from '../http/process/status/status-shape.js';
import { askInstance } from '../snapshot/local/lock/ask-instance.js';
import type { Settings } from '../settings.js';
import { renderStatus } from './status-screen.js';
import { printLine } from './terminal.js';

/** An instance answers within a second, however its store does. */
const PATIENCE_MS = 10_000;

/** @throws {Error} one line: no instance runs here, or it cannot be asked. */
export async function status(
  settings: Settings,
  { json }: { readonly json: boolean },
): Promise<void> {
  const directory = join(resolve(settings.localDir), settings.keyPrefix);
  const reply = await askInstance(directory, { kind: 'status' }, PATIENCE_MS);
  switch (reply.kind) {
    case 'nobody':
      throw new Error(`no instance runs with the local copies in ${directory}`);
    case 'denied':
      throw new Error(
        `this user may not ask the instance of ${directory}: ask as its user, or root`,
      );
    case 'silent':
      throw new Error(
        `the instance of ${directory} does not answer: it is starting, hangs, or is an older build`,
      );
    case 'reply':
      break;
  }
  if (!isInstanceStatus(reply.value)) {
    throw new Error(`the instance of ${directory} is another build: use its own bura status`);
  }
  if (json) printLine(JSON.stringify(reply.value, undefined, 2));
  else renderStatus(reply.value, screen()).forEach(printLine);
}

/** A terminal gets lines that fit it, and colours unless it has none or NO_COLOR asks for none (no-color.org). */
function screen(): { readonly isColoured: boolean; readonly columns: number } {
  if (!process.stdout.isTTY) return { isColoured: false, columns: Infinity };
  return { isColoured: process.stdout.hasColors(), columns: process.stdout.columns || 80 };
}
