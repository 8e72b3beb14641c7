/** Cases of tests about requests, from `test/fixtures/requests`, where `<a*3>` means `aaa`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(process.cwd(), 'test/fixtures/requests');

/** The texts of a named list, in order. */
export function casesOf(file: string, list: string): readonly string[] {
  return [...namedCasesOf(file, list).values()];
}

/** Cases by name; the name of a case in a list is its index. */
export function namedCasesOf(file: string, list: string): ReadonlyMap<string, string> {
  const lists = JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >;
  const cases = Object.entries(lists[list] ?? {});
  if (cases.length === 0) throw new Error(`${file} has no cases of ${list}`);
  return new Map(cases.map(([name, text]) => [name, written(text)]));
}

function written(text: string): string {
  return text.replaceAll(/<([^<>]+)\*(\d+)>/g, (_all, unit: string, times: string) =>
    unit.repeat(Number(times)),
  );
}
