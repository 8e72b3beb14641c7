/** Makes the bulk bundle at import and puts its files into the local copy. */
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bulkFileName, storedName } from '../../../snapshot/local/keys.js';
import { SEGMENT_BYTES } from '../../../snapshot/local/files.js';
import type { CopyWriter } from '../../../snapshot/local/writer.js';
import type { Snapshot } from '../../../snapshot/domain/model.js';
import { renderBundleReadme } from '../../../views/hvd/bundle-readme.js';
import { BULK_FILES, type BulkResource } from '../../../views/hvd/bulk.js';
import type { WrittenFile } from '../../messages.js';
import type { WorkerPool } from '../../pool.js';
import { finishBundle } from './build-bundle.js';
import { NOBODY, publisherOf } from './render-hvd.js';

/** The two large files, on their way while everything else is rendered. */
export interface BegunBundle {
  readonly directory: string;
  readonly observations: Promise<readonly WrittenFile[]>;
}

/** Has the large files written into the copy's temporary folder: each by one thread. */
export async function beginBundle(
  writer: CopyWriter,
  snapshot: Snapshot,
  pool: WorkerPool,
): Promise<BegunBundle> {
  const directory = join(writer.temporary, 'bundle');
  await mkdir(directory);
  const { header, components, observations } = snapshot;
  const formats = ['csv', 'parquet'] as const;
  const begun = Promise.all(
    formats.map((format) =>
      pool.run('write-observations-file', { format, directory, header, components, observations }),
    ),
  );
  // Heard by `storeBundle`; an import that fails before that has its own reason.
  begun.catch(() => undefined);
  return { directory, observations: begun };
}

/**
 * Adds the small files, moves all into the copy, and answers them in the order of the index.
 *
 * @throws {SnapshotError} `disk_full`.
 */
export async function storeBundle(
  writer: CopyWriter,
  snapshot: Snapshot,
  { directory, observations }: BegunBundle,
): Promise<readonly BulkResource[]> {
  const resources = finishBundle({
    directory,
    snapshot,
    observations: await observations,
    readme: renderBundleReadme({
      header: snapshot.header,
      publisher: publisherOf(snapshot) ?? NOBODY,
    }),
  });
  for (const { name, gzip } of resources) {
    for (const coding of gzip === undefined ? PLAIN : BOTH) {
      const file = {
        path: join(directory, storedName(name, coding)),
        name: bulkFileName(name, coding),
      };
      await storeFile(writer, file);
    }
  }
  await rm(directory, { recursive: true });
  const contentTypes = new Map<string, string>(
    BULK_FILES.map(({ name, contentType }) => [name, contentType]),
  );
  writer.putRecord(
    'bundle',
    resources.map((resource) => ({
      ...resource,
      contentType: contentTypes.get(resource.name) ?? 'application/octet-stream',
    })),
  );
  return resources;
}

const PLAIN = ['identity'] as const;
const BOTH = ['identity', 'gzip'] as const;

async function storeFile(
  writer: CopyWriter,
  { path, name }: { readonly path: string; readonly name: string },
): Promise<void> {
  const stored = writer.createFile(name);
  const file = await open(path);
  try {
    const buffer = new Uint8Array(READ_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES);
      if (bytesRead === 0) return;
      writer.transaction(() => {
        stored.append(buffer.subarray(0, bytesRead));
      });
    }
  } finally {
    await file.close();
  }
}

const READ_BYTES = 16 * SEGMENT_BYTES;
