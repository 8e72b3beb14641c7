/** Numbers for stations and components whose tables have codes only: made once, and kept beside the tables. */
import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError, systemCode } from '../../snapshot/document/file-error.js';
import type { Problems } from '../../snapshot/document/problems.js';
import { readTableLines } from './table-reader.js';

export const IDS_FILE = 'bura-ids.csv';

const HEADER = 'kind,code,id';
const FORM = {
  encoding: 'utf-8',
  delimiter: ',',
  decimalComma: false,
  headerLine: 1,
  isEnded: true,
  sample: '',
} as const;

export type Kind = 'station' | 'component';

export class MadeIds {
  readonly #path: string;
  readonly #ids: Readonly<Record<Kind, Map<string, number>>> = {
    station: new Map(),
    component: new Map(),
  };
  #isNew = false;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws {DocumentError} for a file that was changed into something else. */
  static async read(folder: string, problems: Problems): Promise<MadeIds> {
    const path = join(folder, IDS_FILE);
    const made = new MadeIds(path);
    const status = await stat(path).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw new FileError(`read ${path}`, error);
    });
    if (status === undefined) return made;
    const file = { name: IDS_FILE, path, sizeBytes: status.size, named: {} };
    for await (const { line, cells } of readTableLines(file, { form: FORM, problems })) {
      if (line === 1) continue;
      const [kind = '', code = '', id = ''] = cells;
      const known = kind === 'station' || kind === 'component' ? made.#ids[kind] : undefined;
      const isRepeated =
        known?.has(code) === true || [...(known?.values() ?? [])].includes(Number(id));
      if (known === undefined || !/^[1-9]\d{0,14}$/.test(id) || isRepeated) {
        problems.fail(
          `${IDS_FILE}, line ${line}`,
          'expected station or component, a code and its number, each once',
        );
      }
      known.set(code, Number(id));
    }
    return made;
  }

  /** Whether there is any. */
  get areMade(): boolean {
    return Object.values(this.#ids).some((ids) => ids.size > 0);
  }

  /** The number of a code: the one that it has had, or the next. */
  idOf(kind: Kind, code: string): number {
    const ids = this.#ids[kind];
    const known = ids.get(code);
    if (known !== undefined) return known;
    const id = Math.max(0, ...ids.values()) + 1;
    ids.set(code, id);
    this.#isNew = true;
    return id;
  }

  /** Writes the file where a number is new. @throws {FileError} */
  async keep(): Promise<void> {
    if (!this.#isNew) return;
    const lines = Object.entries(this.#ids).flatMap(([kind, ids]) =>
      [...ids].map(([code, id]) => `${kind},"${code.replaceAll('"', '""')}",${id}\n`),
    );
    try {
      await writeFile(`${this.#path}.new`, `${HEADER}\n${lines.join('')}`, { flush: true });
      await rename(`${this.#path}.new`, this.#path);
    } catch (error) {
      throw new FileError(`write ${this.#path}`, error);
    }
  }
}
