/**
 * The snapshots that benches serve: generated, with the same bytes every time, and stored in the system's temporary
 * directory for the next run.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  generateDocument,
  writeDocument,
  type GeneratedDocument,
} from '../../test/support/documents/documents.js';
import type { Size, Progress } from '../options.js';

/** Must be raised when the same description gives other bytes, so that older files are not used. */
const CONTENT_VERSION = 1;

const HOURS = 720;
const HOUR_MS = 3_600_000;
const GENERATED_AT_MS = Date.UTC(2026, 8, 10);

/** Names of the kinds of snapshots; `soak` is for the soak. */
export type Shape = Size | 'soak';

type Description = Required<
  Pick<GeneratedDocument, 'stations' | 'components' | 'hours' | 'componentsOf'>
>;

const SHAPES: Readonly<Record<Shape, Description>> = {
  // 5,300 rows, 1.7 MB as JSON: several segments, and little enough for thousands of checked answers a second.
  soak: { stations: 8, components: 4, hours: 168, componentsOf: () => firstIds(4) },
  // 106,933 rows.
  '105k': { stations: 30, components: 5, hours: HOURS, componentsOf: () => firstIds(5) },
  // 87 stations and 15 components, of which a station measures 7 or 8: 449,000 rows.
  '450k': {
    stations: 87,
    components: 15,
    hours: HOURS,
    componentsOf: (station) => someIds(15, { from: station, count: station % 4 === 0 ? 8 : 7 }),
  },
  // 1,048,000 rows.
  '1050k': { stations: 105, components: 14, hours: HOURS, componentsOf: () => firstIds(14) },
};

export interface SnapshotFile {
  /** A document, gzipped. */
  readonly path: string;
  readonly snapshotId: string;
}

/**
 * A snapshot's document, generated unless its file exists.
 *
 * @param version from 1 on: each is the next hour's snapshot of the same network, with other values.
 */
export async function snapshotFile(
  { shape, version }: { readonly shape: Shape; readonly version: number },
  progress: Progress,
): Promise<SnapshotFile> {
  const snapshotId = `bench-${shape}-${version}`;
  const directory = path.join(os.tmpdir(), `bura-bench-v${CONTENT_VERSION}`);
  const file = path.join(directory, `${snapshotId}.json.gz`);
  if (existsSync(file)) return { path: file, snapshotId };
  progress(`generating ${snapshotId}`);
  await mkdir(directory, { recursive: true });
  const unfinished = path.join(directory, `${process.pid}-${snapshotId}.json.gz`);
  const generatedAt = new Date(GENERATED_AT_MS + version * HOUR_MS).toISOString();
  await writeDocument(
    unfinished,
    generateDocument({ ...SHAPES[shape], snapshotId, seed: version, generatedAt }),
  );
  await rename(unfinished, file);
  return { path: file, snapshotId };
}

function firstIds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** `count` of the ids 1 to `of`, consecutive from `from` on (after the last comes the first), ascending. */
function someIds(
  of: number,
  { from, count }: { readonly from: number; readonly count: number },
): readonly number[] {
  const ids = Array.from({ length: count }, (_, index) => ((from + index) % of) + 1);
  return ids.sort((a, b) => a - b);
}
