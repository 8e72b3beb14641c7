/** Watches one file by its directory, which may come and go; whatever fails is left to the poll. */
import { watch, type FSWatcher } from 'node:fs';
import { basename } from 'node:path';

/** How often a directory that cannot be watched, mostly because it is not there yet, is tried again. */
const REARM_MS = 2000;

export interface FileWatchOptions {
  readonly directory: string;
  /** A name in the directory. */
  readonly name: string;
  readonly onChange: () => void;
}

/** Calls back when the file may have been replaced, and when watching begins late; keeps no process alive. */
export function watchFile({ directory, name, onChange }: FileWatchOptions): { close(): void } {
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const rearm = (): void => {
    watcher?.close();
    watcher = undefined;
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Changes before the watch began give no event.
      if (arm()) onChange();
    }, REARM_MS);
    timer.unref();
  };
  const arm = (): boolean => {
    try {
      watcher = watch(directory, { persistent: false });
    } catch {
      rearm();
      return false;
    }
    watcher.on('error', rearm);
    watcher.on('change', (_event, changed: string | Buffer | null) => {
      // A directory that is removed or renamed reports its own name, and nothing after it.
      if (changed === basename(directory)) rearm();
      if (changed === name || changed === null) onChange();
    });
    return true;
  };
  arm();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
