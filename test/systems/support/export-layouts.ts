/** Layouts and readings of the exports in `data/exports`, found once without SQL and the service's code. */
import { readFileSync } from 'node:fs';
import type { Reading } from '../../support/documents/agencies.js';

const FOLDER = 'test/fixtures/export-readings';

export interface Layout {
  /** The folder in `data/exports`. */
  readonly folder: string;
  /** Name of the script in `docs/exports` or `test/fixtures/exports`. */
  readonly script: string;
  readonly encoding?: string;
  /** Name of the file with the measurements. */
  readonly file: string;
  /** Name of next month's file. */
  readonly next: string;
  /** Number of lines before the first row. */
  readonly header: number;
  readonly units: Readonly<Record<string, string>>;
  /** Name of the station in the export. */
  readonly station: string;
  /** @param lines of the file with the measurements. */
  readonly read: (lines: readonly string[]) => readonly Reading[];
}

function readingsOf(folder: string): readonly Reading[] {
  const lines = readFileSync(`${FOLDER}/${folder}.tsv`, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [station = '', component = '', hour = '', value = ''] = line.split('\t');
    const hourMs = Date.parse(hour);
    return { station, component, hourMs, value: value === '' ? undefined : Number(value) };
  });
}

const layouts = JSON.parse(readFileSync(`${FOLDER}/layouts.json`, 'utf8')) as Readonly<
  Record<string, Omit<Layout, 'folder' | 'read'>>
>;

export const LAYOUTS: readonly Layout[] = Object.entries(layouts).map(([folder, layout]) => ({
  folder,
  ...layout,
  read: () => readingsOf(folder),
}));
