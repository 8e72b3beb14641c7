/** What the instance that has a directory serves, for another one that takes over from it: nothing is written. */
import { modificationDate, type Serving } from '../domain/serving-state.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { copiesOf, copyDirectory } from '../local/copies.js';
import { verifyCopy } from '../local/manifest.js';
import { renderingBuild } from './served.js';
import { readStoreStatus } from './store-status.js';

/**
 * The local copy of a snapshot, that of this build where there is one, with its date.
 *
 * @throws {SnapshotError} `copy_damaged`, `schema_version`: there is no copy that this build can serve.
 */
export async function readServed(
  directory: string,
  wanted: {
    readonly snapshotId: string;
    readonly build: string;
    readonly expectedSchemaVersion: string;
  },
): Promise<Extract<Serving, { readonly kind: 'snapshot' }>> {
  const { snapshotId, build, expectedSchemaVersion } = wanted;
  let failure: unknown = new SnapshotError('copy_damaged', `there is no copy of ${snapshotId}`);
  const { lastGood } = (await readStoreStatus(directory)) ?? {};
  const document = lastGood?.snapshotId === snapshotId ? lastGood : undefined;
  for (const name of await copiesOf(directory, { ...document, snapshotId, build })) {
    try {
      const path = copyDirectory(directory, name);
      const { schemaVersion } = await verifyCopy(path);
      if (schemaVersion !== expectedSchemaVersion) {
        const message = `${snapshotId} has schema version ${schemaVersion}; this instance accepts ${expectedSchemaVersion}`;
        throw new SnapshotError('schema_version', message);
      }
      const activatedAtMs = document?.activatedAtMs;
      return {
        kind: 'snapshot',
        snapshotId,
        directory: path,
        build: renderingBuild(name, build),
        lastModified: modificationDate(activatedAtMs, Date.now()),
        activatedAtMs,
      };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
