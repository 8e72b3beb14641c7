/** A writable snapshot store: all operations of the commands on its snapshots. */
import { Digester, digesting, type Digest } from '../snapshot/domain/digest.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { isSnapshotId } from '../snapshot/domain/snapshot-id.js';
import {
  missingObject,
  type Change,
  type NewObject,
  type StoredObject,
  type WritableObjectStore,
} from '../snapshot/store/objects.js';
import {
  assertDigest,
  decodePointer,
  documentPath,
  encodePointer,
  POINTER_NAME,
  pointerIn,
  snapshotIdOf,
  withdrawing,
  type Pointer,
} from '../snapshot/store/pointer.js';
import { SnapshotStore } from '../snapshot/store/snapshot-store.js';
import { checkDocument, verifyDocument } from './verify-document.js';

/** Attempts of a change while other processes keep moving the pointer. */
const MAX_MOVES = 20;

export interface StoredSnapshot extends Pick<StoredObject, 'sizeBytes' | 'storedAtMs'> {
  readonly snapshotId: string;
  readonly active: boolean;
}

/** A checked gzip document to be stored. */
export type NewSnapshot = NewObject & { readonly snapshotId: string };

/** A planned change of pointer and objects, and the result of the operation. */
type Step<T> = Pick<Change, 'to' | 'needs' | 'removes'> & { readonly answer: T };

/** Methods also throw what the store of objects throws. */
export class WritableSnapshotStore extends SnapshotStore {
  override readonly objects: WritableObjectStore;

  constructor(objects: WritableObjectStore) {
    super(objects);
    this.objects = objects;
  }

  /** Snapshots, newest first. A malformed pointer marks no snapshot as active, so that an operator can choose one. */
  async list(): Promise<readonly StoredSnapshot[]> {
    const objects = await this.objects.list('snapshots');
    const active = pointerIn(await this.objects.read(POINTER_NAME))?.snapshotId;
    return objects
      .flatMap(({ name, sizeBytes, storedAtMs }) => {
        const snapshotId = snapshotIdOf(name);
        if (snapshotId === undefined) return [];
        return { snapshotId, sizeBytes, storedAtMs, active: snapshotId === active };
      })
      .sort(newestFirst);
  }

  async isRemoved(snapshotId: string): Promise<boolean> {
    return await this.objects.isRetired(documentPath(snapshotId));
  }

  /** @throws {SnapshotError} `snapshot_removed`: entity tags contain ids, so an id is never reused. */
  async refuseRemoved(snapshotId: string): Promise<void> {
    if (!(await this.isRemoved(snapshotId))) return;
    const why =
      'an id is never used again, whatever the bytes: build the document with another one';
    const message = `${snapshotId} was removed from ${this.address}, and ${why} (--snapshot-id)`;
    throw new SnapshotError('snapshot_removed', message);
  }

  /**
   * Stores a document, unless one is stored under its id. The same text in plain, gzip or another gzip level is the
   * same document.
   *
   * @param dryRun stores nothing.
   * @returns whether the document is new, and the digest of the stored bytes.
   * @throws {SnapshotError} `snapshot_conflict` where the id is stored with another document, `snapshot_removed`.
   */
  async store(
    snapshot: NewSnapshot,
    { dryRun = false, signal }: { dryRun?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<{ readonly isNew: boolean; readonly stored: Digest }> {
    const { snapshotId, sha256 } = snapshot;
    const document = documentPath(snapshotId);
    const outcome = dryRun
      ? await this.objects.stat(document)
      : await this.objects.put(document, snapshot, signal);
    if (outcome === 'retired') await this.refuseRemoved(snapshotId);
    const isNew = outcome === undefined || outcome === 'stored';
    if (isNew) return { isNew, stored: snapshot };
    const stored = await verifyDocument(
      await this.openDocument({ snapshotId }, signal),
      snapshotId,
    );
    if (stored.sha256 !== sha256) {
      const own = await verifyDocument(snapshot.open(), snapshotId);
      if (own.textSha256 !== stored.textSha256) {
        const what = `${stored.sizeBytes} bytes, SHA-256 ${stored.sha256}`;
        const message = `${snapshotId} is stored already with other bytes (${what})`;
        throw new SnapshotError('snapshot_conflict', message);
      }
    }
    return { isNew, stored };
  }

  /**
   * Activates a stored snapshot after the checks of publishing, except the gates, which would refuse an older one.
   *
   * @throws {SnapshotError} `snapshot_missing`, `snapshot_removed`, and what `checkDocument` throws.
   */
  async activate(snapshotId: string, signal?: AbortSignal): Promise<Pointer> {
    const { snapshot, digest } = await this.check(snapshotId, signal);
    const { schemaVersion } = snapshot.header;
    return await this.movePointer({ snapshotId, schemaVersion, ...digest });
  }

  /** Checks a stored snapshot. @throws {SnapshotError} `snapshot_missing`, and what `checkDocument` throws. */
  async check(snapshotId: string, signal?: AbortSignal) {
    if (!isSnapshotId(snapshotId)) throw missingObject(this.address, documentPath(snapshotId));
    const digester = new Digester();
    const bytes = digesting(await this.openDocument({ snapshotId }, signal), digester);
    const snapshot = await checkDocument(bytes, { name: snapshotId, snapshotId });
    return { snapshot, digest: digester.digest() };
  }

  /**
   * Moves the pointer to a stored, verified document.
   *
   * @throws {SnapshotError} `snapshot_missing`, `snapshot_removed`, `document_corrupt`.
   */
  async movePointer(to: Digest & Pick<Pointer, 'snapshotId' | 'schemaVersion'>): Promise<Pointer> {
    const { snapshotId, schemaVersion, sizeBytes, sha256 } = to;
    const document = documentPath(snapshotId);
    return await this.#change(async (content) => {
      // `remove` may have deleted the document after the check.
      const stored = await this.objects.stat(document);
      if (stored === undefined) throw missingObject(this.address, document);
      await this.refuseRemoved(snapshotId);
      const pointer = { snapshotId, schemaVersion, document, sizeBytes, sha256 };
      assertDigest(pointer, { sha256, ...stored });
      const removed = pointerIn(content)?.removed;
      const answer = { ...pointer, activatedAtMs: Date.now(), ...(removed && { removed }) };
      return { to: encodePointer(answer), needs: [document], answer };
    });
  }

  /**
   * Removes an inactive snapshot in one step, and reserves its id for ever.
   *
   * @param withdraw tells instances to remove the snapshot from their history.
   * @returns whether the snapshot was stored.
   * @throws {SnapshotError} `snapshot_active`, `pointer_malformed` (any snapshot could be the active one).
   */
  async remove(snapshotId: string, { withdraw = false } = {}): Promise<boolean> {
    const document = documentPath(snapshotId);
    if (!isSnapshotId(snapshotId)) throw missingObject(this.address, document);
    return await this.#change(async (content) => {
      const pointer = content && decodePointer(content);
      if (pointer?.snapshotId === snapshotId) {
        throw new SnapshotError(
          'snapshot_active',
          `${snapshotId} is the active snapshot: activate another one first`,
        );
      }
      const answer = (await this.objects.stat(document)) !== undefined;
      const to = withdraw && pointer ? encodePointer(withdrawing(pointer, snapshotId)) : undefined;
      return { to, removes: document, answer };
    });
  }

  /** Changes the pointer; retries when another process has changed it meanwhile. */
  async #change<T>(plan: (content: Uint8Array | undefined) => Promise<Step<T>>): Promise<T> {
    for (let move = 0; move < MAX_MOVES; move += 1) {
      const from = await this.objects.read(POINTER_NAME);
      const { answer, ...change } = await plan(from);
      if (await this.objects.change({ name: POINTER_NAME, from, ...change })) return answer;
    }
    const message = `${this.address}: its pointer moves too often`;
    throw new SnapshotError('store_unreachable', message);
  }
}

export function newestFirst(a: StoredSnapshot, b: StoredSnapshot): number {
  if (a.storedAtMs !== b.storedAtMs) return b.storedAtMs - a.storedAtMs;
  return a.snapshotId < b.snapshotId ? 1 : -1;
}
