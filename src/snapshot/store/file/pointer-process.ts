/** The process that looks at the pointer of a `file:` store for `remote-pointer.ts`: what hangs with its disk is this alone. */
import { SnapshotError } from '../../domain/snapshot-error.js';
import { ARCHIVE_INDEX } from '../archive-index.js';
import { SnapshotStore } from '../snapshot-store.js';
import { FileObjects, type FileObjectsOptions } from './file-objects.js';
import type { ArchiveAnswer, FromPointerProcess } from './remote-pointer.js';

// A thread that hangs in a system call would hold up an orderly exit.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// They are sent to the whole group; the supervisor ends this process when it needs it no more.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

process.once('message', (options: FileObjectsOptions) => {
  const objects = new FileObjects(options);
  const store = new SnapshotStore(objects);
  const onChange = (): void => {
    send({ kind: 'moved' });
  };
  process.on('message', () => {
    void look(store).then(send);
  });
  store.watch(onChange);
  objects.watch(ARCHIVE_INDEX, onChange);
});

/** What becomes of the archive says nothing of the pointer. */
async function look(store: SnapshotStore): Promise<FromPointerProcess> {
  try {
    const reading = await store.readPointer();
    const archive = await store.readArchive().then(indexOf, failureOf);
    return { kind: 'reading', reading, archive };
  } catch (error) {
    return failureOf(error);
  }
}

function indexOf(bytes: Uint8Array | undefined): ArchiveAnswer {
  return { kind: 'index', text: bytes && Buffer.from(bytes).toString() };
}

function failureOf(error: unknown) {
  const code = error instanceof SnapshotError ? error.code : 'store_unreachable';
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failure', code, message } as const;
}

function send(message: FromPointerProcess): void {
  process.send?.(message);
}
