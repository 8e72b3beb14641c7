/** The contents of the folders of `data/exports`: rows that were once read without SQL and without any of our code. */
import { readFileSync } from 'node:fs';
import type { Reading } from '../documents/agencies.js';

const FOLDER = 'test/fixtures/export-readings';

export interface Layout {
  /** The folder in `data/exports`. */
  readonly folder: string;
  /** The script in `docs/exports` or `test/fixtures/exports`, without its ending. */
  readonly script: string;
  readonly encoding?: string;
  /** The file of measurements. */
  readonly file: string;
  /** As next month's file is called. */
  readonly next: string;
  /** Lines of it before its first row. */
  readonly header: number;
  readonly units: Readonly<Record<string, string>>;
  /** Name of the station, as it names itself. */
  readonly station: string;
  /** @param lines of the file of measurements, which must be those that were read once. */
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
