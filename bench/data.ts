/**
 * The snapshots that benches serve: generated, the same bytes every time, kept in the system's temporary
 * directory from one run to the next.
 */
import { mkdir, rename, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  generateDocument,
  writeDocument,
  type GeneratedDocument,
} from '../test/support/documents/documents.js';
import type { Size, Tell } from './options.js';

/** Rises whenever the same description would give other bytes: older files are then left alone. */
const CONTENT_VERSION = 1;

const HOURS = 720;
const HOUR_MS = 3_600_000;
const GENERATED_AT_MS = Date.UTC(2026, 8, 10);

/** What one kind of snapshot looks like; `wide` is for the suite `scale`, which says why. */
export type Shape = Size | 'wide-1050k';

type Description = Required<
  Pick<GeneratedDocument, 'stations' | 'components' | 'hours' | 'componentsOf'>
>;

const SHAPES: Readonly<Record<Shape, Description>> = {
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
  // As many stations as `105k`, ten times the rows: 1,063,000.
  'wide-1050k': {
    stations: 30,
    components: 66,
    hours: HOURS,
    componentsOf: (station) => firstIds(station <= WIDE_SAME_STATIONS ? 5 : 66),
  },
};

/** The first stations of `wide-1050k`: with as many components as those of `105k`. */
export const WIDE_SAME_STATIONS = 8;

export interface SnapshotFile {
  /** A document, gzipped. */
  readonly path: string;
  readonly snapshotId: string;
}

/**
 * A snapshot's document, generated unless it is there.
 *
 * @param edition 1 and up: the next hour's snapshot of the same network, with other values.
 */
export async function snapshotFile(
  { shape, edition }: { readonly shape: Shape; readonly edition: number },
  tell: Tell,
): Promise<SnapshotFile> {
  const snapshotId = `bench-${shape}-${edition}`;
  const directory = path.join(os.tmpdir(), `bura-bench-v${CONTENT_VERSION}`);
  const file = path.join(directory, `${snapshotId}.json.gz`);
  if (await isThere(file)) return { path: file, snapshotId };
  tell(`generating ${snapshotId}`);
  await mkdir(directory, { recursive: true });
  const unfinished = path.join(directory, `${process.pid}-${snapshotId}.json.gz`);
  const generatedAt = new Date(GENERATED_AT_MS + edition * HOUR_MS).toISOString();
  await writeDocument(
    unfinished,
    generateDocument({ ...SHAPES[shape], snapshotId, seed: edition, generatedAt }),
  );
  await rename(unfinished, file);
  return { path: file, snapshotId };
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function firstIds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** `count` of the ids 1 to `of`, one after the other from `from` on and round the end, ascending. */
function someIds(
  of: number,
  { from, count }: { readonly from: number; readonly count: number },
): readonly number[] {
  const ids = Array.from({ length: count }, (_, index) => ((from + index) % of) + 1);
  return ids.sort((a, b) => a - b);
}
