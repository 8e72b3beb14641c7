/** Publishes the demonstration snapshot, built from CSV files, to an empty store. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isDemonstration } from '../../publishing/verify-document.js';
import { publishDocument } from '../../publishing/publish-document.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { temporaryPath } from '../../files/durable-file.js';
import { WritableSnapshotStore } from '../../publishing/writable-snapshot-store.js';
import type { Settings } from '../../settings.js';
import { schemaVersion } from '../command.js';
import { withStore } from '../store/settings-store.js';
import { printLine, printNote } from '../output/terminal.js';

/** The demonstration: CSV files of a month of the Comunidad de Madrid, in `data/demo`, and their time zone. */
export const DEMONSTRATION = {
  folder: ['../../../data/demo', '../../../../data/demo']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .reduce((nearer, farther) => (existsSync(nearer) ? nearer : farther)),
  timeZone: 'Europe/Madrid',
};

/**
 * Publishes the demonstration to an empty, writable store.
 *
 * @returns whether the active snapshot is a demonstration.
 */
export async function publishDemonstration(settings: Settings, folder: string): Promise<boolean> {
  let isActive = false;
  await withStore(settings, async (store, signal) => {
    if (store instanceof WritableSnapshotStore && (await isEmpty(store))) {
      await publishFolder(store, folder, { ...settings, signal });
    }
    const reading = await store.readPointer();
    if (reading.kind === 'absent') return;
    const document = await store.openDocument(reading.pointer);
    isActive = await isDemonstration(document);
    document.destroy();
  });
  return isActive;
}

async function publishFolder(
  store: WritableSnapshotStore,
  folder: string,
  {
    expectedSchemaVersion,
    signal,
  }: Pick<Settings, 'expectedSchemaVersion'> & { readonly signal: AbortSignal },
): Promise<void> {
  // The next `buildDocument` removes the file of a killed process.
  const file = `${temporaryPath(tmpdir())}.json.gz`;
  try {
    // Loaded only when needed: loading takes longer than the rest of a start.
    const { buildDocument } = await import('../../publishing/tables/build-document.js');
    await buildDocument({
      from: folder,
      out: file,
      demonstration: true,
      // An instance serves only snapshots of the expected schema version.
      ...schemaVersion(expectedSchemaVersion),
    });
    const published = await publishDocument({ store, file, activate: true, signal });
    const { snapshotId, rows } = published;
    printLine(
      `bura published the demonstration snapshot ${snapshotId} (${rows} rows) from ${folder} into ${store.address}`,
    );
  } catch (error) {
    if (!(error instanceof SnapshotError) || error.code !== 'snapshot_removed') throw error;
    // The operator has removed the demonstration, and still wants the service.
    printNote(error.message);
  } finally {
    await rm(file, { force: true });
  }
}

async function isEmpty(store: WritableSnapshotStore): Promise<boolean> {
  await store.objects.prepare();
  const reading = await store.readPointer();
  return reading.kind === 'absent' && (await store.list()).length === 0;
}
