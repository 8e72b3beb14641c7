/** The process that looks at the pointer of a `file:` store for `remote-pointer.ts`: what hangs with its disk is this alone. */
import { SnapshotError } from '../../domain/snapshot-error.js';
import { SnapshotStore } from '../snapshot-store.js';
import { FileObjects, type FileObjectsOptions } from './file-objects.js';
import type { FromPointerProcess } from './remote-pointer.js';

// A thread that hangs in a system call would hold up an orderly exit.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// They are sent to the whole group; the supervisor ends this process when it needs it no more.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

process.once('message', (options: FileObjectsOptions) => {
  const store = new SnapshotStore(new FileObjects(options));
  process.on('message', () => {
    store.readPointer().then(
      (reading) => {
        send({ kind: 'reading', reading });
      },
      (error: unknown) => {
        const code = error instanceof SnapshotError ? error.code : 'store_unreachable';
        const message = error instanceof Error ? error.message : String(error);
        send({ kind: 'failure', code, message });
      },
    );
  });
  store.watch(() => {
    send({ kind: 'moved' });
  });
});

function send(message: FromPointerProcess): void {
  process.send?.(message);
}
