/** Makes a complete local copy from a pointer, in the import process: fetches, verifies, checks, renders, writes. */
import { statfs } from 'node:fs/promises';
import { readSnapshot } from '../../../snapshot/document/read.js';
import { Digester, digesting } from '../../../snapshot/domain/digest.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { historyFolder, writePast } from '../../../snapshot/history/past-files.js';
import { pastOf } from '../../../snapshot/history/past-snapshot.js';
import { copyDirectory } from '../../../snapshot/local/copies.js';
import { freeDiskSpace } from '../../../snapshot/local/disk-space.js';
import { answerKey } from '../../../snapshot/local/keys.js';
import { CopyWriter, type StoredAnswer } from '../../../snapshot/local/writer.js';
import type { Snapshot } from '../../../snapshot/domain/model.js';
import { hiddenPart, publicPart } from '../../../snapshot/domain/public.js';
import type { SnapshotStore } from '../../../snapshot/store/snapshot-store.js';
import { assertDigest } from '../../../snapshot/store/pointer.js';
import type { BulkResource } from '../../../views/hvd/bulk.js';
import * as legacy from '../../../views/legacy.js';
import { isDirection } from '../../../snapshot/domain/units.js';
import { jsonAnswer, splitAnswers } from '../../formats/answers.js';
import { inOrder } from '../../in-order.js';
import type {
  ImportPhase,
  ImportRequest,
  JoinedAnswers,
  RenderedObservations,
} from '../../messages.js';
import type { WorkerPool } from '../../pool.js';
import type { WrittenFile } from './bulk-file-writer.js';
import { ObservationsWriter } from './observations-writer.js';
import {
  filterableStations,
  latestObservations,
  publisherOf,
  renderHvdAnswers,
} from './render-hvd.js';
import { publicNetwork } from './public-network.js';
import { renderTasks } from './render-tasks.js';
import { storeBundle } from './store-bundle.js';

export interface ImportOptions extends Omit<ImportRequest, 'store' | 'threads'> {
  readonly store: Pick<SnapshotStore, 'openDocument'>;
  readonly pool: WorkerPool;
  /** Called at the end of each phase with its time. */
  readonly onPhase?: (phase: ImportPhase, milliseconds: number) => void;
}

/** Disk space for each row: more than twice the largest measured, 760 bytes. */
const DISK_BYTES_PER_ROW = 1800;

/** A failed transaction counts as a full disk if fewer bytes are free. */
const FULL_BYTES = 16 * 1024 * 1024;

/**
 * Makes the local copy of the pointer's snapshot, and returns its directory. After a failure no files are left.
 *
 * @throws {SnapshotError} `disk_full`, `schema_version`, `document_corrupt` if the document does not match the pointer;
 * errors of the store and the document.
 */
export async function importSnapshot(options: ImportOptions): Promise<string> {
  const document = await fetchSnapshot(options);
  const snapshot = publicPart(document);
  const readAt = performance.now();
  await assertDiskSpace(options.directory, snapshot);
  const { snapshotId, sha256: documentSha256 } = options.pointer;
  const name = { snapshotId, documentSha256, build: options.build };
  const writer = await CopyWriter.create(options.directory, name);
  try {
    const { header, components, observations } = snapshot;
    // Started first: one thread needs long for the Parquet file, while the others render the rest.
    const rendered = options.pool.run('render-parquet', { header, components, observations });
    // Marks a rejection as handled: it is awaited below, unless another step fails first.
    rendered.catch(() => undefined);
    const csv = await writeRendered(writer, snapshot, options);
    writeHvd(writer, snapshot, storeBundle(writer, snapshot, { csv, parquet: await rendered }));
    writer.putRecord('hidden-ids', hiddenPart(document));
    // A failure loses only history, so the import goes on.
    const past = pastOf(snapshot, documentSha256);
    await writePast(historyFolder(options.directory), past).catch(() => undefined);
    const builtAt = performance.now();
    options.onPhase?.('build', builtAt - readAt);
    await writer.finish(snapshot.header);
    options.onPhase?.('seal', performance.now() - builtAt);
  } catch (error) {
    // The free space is read before the failed copy is removed.
    const reason = await diskFullInstead(error, options.directory);
    await writer.abandon();
    throw reason;
  }
  return copyDirectory(options.directory, name);
}

async function fetchSnapshot(options: ImportOptions): Promise<Snapshot> {
  const { pointer } = options;
  const digester = new Digester();
  const startedAt = performance.now();
  const stream = await options.store.openDocument(pointer);
  let waitedMs = performance.now() - startedAt;
  // The stream stays open if the parser ends early, so that the rest can still be verified.
  const arriving = timed(stream.iterator({ destroyOnReturn: false }), (milliseconds) => {
    waitedMs += milliseconds;
  });
  const chunks = digesting(arriving, digester);
  let snapshot: Snapshot;
  try {
    snapshot = await readSnapshot(chunks);
  } catch (error) {
    // A broken transfer says nothing about the document.
    if (stream.errored !== null) throw stream.errored;
    // If the document was cut or altered, the operator must learn that instead of the parser's error.
    if (!stream.destroyed) for await (const chunk of stream) digester.add(chunk as Uint8Array);
    assertDigest(pointer, digester.digest());
    throw error;
  }
  assertDigest(pointer, digester.digest());
  options.onPhase?.('fetch', waitedMs);
  options.onPhase?.('parse', performance.now() - startedAt - waitedMs);
  const { snapshotId, schemaVersion } = snapshot.header;
  if (schemaVersion !== options.expectedSchemaVersion) {
    throw new SnapshotError(
      'schema_version',
      `snapshot ${snapshotId} has schema version ${schemaVersion}, expected ${options.expectedSchemaVersion}`,
    );
  }
  if (snapshotId !== pointer.snapshotId) {
    throw new SnapshotError(
      'document_corrupt',
      `the document of ${pointer.snapshotId} says that it is ${snapshotId}`,
    );
  }
  return snapshot;
}

/** Yields the items, and reports the time that was spent waiting for each. */
async function* timed<T>(
  items: AsyncIterator<T>,
  onWait: (milliseconds: number) => void,
): AsyncGenerator<T> {
  try {
    for (;;) {
      const askedAt = performance.now();
      const next = await items.next();
      onWait(performance.now() - askedAt);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await items.return?.();
  }
}

async function assertDiskSpace(directory: string, snapshot: Snapshot): Promise<void> {
  const needed = snapshot.observations.hours.length * DISK_BYTES_PER_ROW;
  const free = await freeDiskSpace(directory, needed);
  if (free >= needed) return;
  const message = `${directory} has ${free} bytes free, the local copy may need ${needed}`;
  throw new SnapshotError('disk_full', message);
}

/** lmdb reports a full disk as an input/output error, so the free space is read. */
async function diskFullInstead(error: unknown, directory: string): Promise<unknown> {
  if (error instanceof SnapshotError) return error;
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize > FULL_BYTES) return error;
  const message = `${directory} has only ${bavail * bsize} bytes left`;
  return new SnapshotError('disk_full', message, { cause: error });
}

async function writeRendered(
  writer: CopyWriter,
  snapshot: Snapshot,
  { pool }: ImportOptions,
): Promise<WrittenFile> {
  writer.putAnswers(listAnswers(snapshot));
  const observations = new ObservationsWriter(writer, snapshot.observations);
  const rendered = inOrder(
    renderTasks(snapshot),
    // One task for each thread, one result that is being written, and one in reserve.
    pool.threads + 2,
    ({ kind, task }): Promise<JoinedAnswers | RenderedObservations> => pool.run(kind, task),
  );
  for await (const result of rendered) {
    if ('index' in result) writer.putAnswers(splitAnswers(result));
    else observations.append(result);
  }
  return observations.finish();
}

function writeHvd(writer: CopyWriter, snapshot: Snapshot, bundle: readonly BulkResource[]): void {
  writer.putAnswers(renderHvdAnswers(snapshot, bundle));
  writer.putRecord('stations', filterableStations(snapshot));
  writer.putRecord('latest', latestObservations(snapshot));
  writer.putRecord('publisher', publisherOf(snapshot) ?? null);
  writer.putRecord('public-ids', {
    stations: snapshot.stations.map(({ id }) => id),
    components: snapshot.components.map(({ id }) => id),
    directions: snapshot.components.filter(isDirection).map(({ id }) => id),
    parameterCodes: snapshot.components.map(({ shortName }) => shortName),
  });
  writer.putRecord('network', publicNetwork(snapshot));
}

function* listAnswers(snapshot: Snapshot): Generator<StoredAnswer> {
  const { header, organizations, networks, stations, components } = snapshot;
  yield jsonAnswer(answerKey.manifest, legacy.viewManifest(header));
  yield jsonAnswer(answerKey.organizations, organizations.map(legacy.viewOrganization));
  yield jsonAnswer(answerKey.networks, networks.map(legacy.viewNetwork));
  yield jsonAnswer(answerKey.stations, stations.map(legacy.viewStation));
  yield jsonAnswer(answerKey.components, components.map(legacy.viewComponent));
  for (const { id } of organizations) {
    const own = stations.filter((station) => station.organizationId === id);
    if (own.length > 0) {
      yield jsonAnswer(answerKey.organizationStations(id), own.map(legacy.viewStation));
    }
  }
}
