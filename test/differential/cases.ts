/** Cases that were wrong once: made smaller, and kept in files. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CASES = 'test/differential/cases';

/** Leaves out ever smaller parts of a list as long as the rest is wrong, for a limited time. */
export async function shrunk<T>(
  whole: readonly T[],
  isWrong: (rest: readonly T[]) => Promise<boolean>,
  limitMs: number,
): Promise<readonly T[]> {
  const endMs = performance.now() + limitMs;
  let list = whole;
  for (let size = Math.ceil(whole.length / 2); size > 0; size = Math.floor(size / 2)) {
    for (let from = 0; from < list.length && performance.now() < endMs;) {
      const rest = list.toSpliced(from, size);
      if (rest.length > 0 && (await isWrong(rest))) list = rest;
      else from += size;
    }
  }
  return list;
}

export async function keepCase(name: string, value: object): Promise<string> {
  const file = join(CASES, `${name}.json`);
  await mkdir(CASES, { recursive: true });
  await writeFile(file, `${JSON.stringify(value, undefined, 1)}\n`);
  return file;
}

export async function keptCases(): Promise<readonly (readonly [string, unknown])[]> {
  const names = (await readdir(CASES)).filter((name) => name.endsWith('.json'));
  return await Promise.all(
    names.map(async (name) => {
      const value: unknown = JSON.parse(await readFile(join(CASES, name), 'utf8'));
      return [name, value] as const;
    }),
  );
}
