/** Prepares a folder of exports for `bura.sql`: text files become UTF-8, sheets of workbooks become CSV. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { plainBytes } from '../../snapshot/document/json/bytes.js';
import { utf8Text } from '../../snapshot/document/json/text.js';
import { FileError, systemCode } from '../../files/file-error.js';
import type { Problems } from '../../snapshot/document/problems.js';
import { writeSheets, type FileOfFolder } from './agency-workbook.js';

export const SCRIPT = 'bura.sql';

export const TEXT = /\.(?:csv|tsv|txt|dat)(?:\.gz)?$/i;
const WORKBOOK = /\.xlsx$/i;
/** Names of workbooks in unsupported formats. */
const OTHER_WORKBOOK = /\.(?:xls|xlsb|xlsm|ods)$/i;

/** Advice for messages about a file that is not read as a table; empty except for unsupported workbooks. */
export function hintOf(name: string): string {
  return OTHER_WORKBOOK.test(name) ? ': save it as .xlsx or CSV' : '';
}

export interface FolderOptions {
  /** Encoding of text files that are not UTF-8: a label of the Encoding Standard. */
  readonly encoding?: string | undefined;
  /** Absolute path of the document to be written; a file at that path is not read as an export. */
  readonly out?: string | undefined;
  /** Collects the names of files with an unknown encoding, and of damaged files. */
  readonly problems: Problems;
  readonly signal?: AbortSignal | undefined;
}

/** Files by path relative to the folder, sorted; without `bura.sql`, the output and hidden files. */
export type PreparedFolder = ReadonlyMap<string, PreparedFile>;

export interface PreparedFile {
  /** Path with all links resolved. */
  readonly path: string;
  /** Names by which SQL can read the file: its own name, or those of a workbook's sheets. */
  readonly readAs: readonly string[];
  /** Original encoding of a text file. */
  readonly encoding?: string;
  /** Whether a text file is empty or its last line has no end: the file may have been cut within a number. */
  readonly isCut: boolean;
}

/**
 * Writes the prepared files, under their own names, to the folder `into`; skips hidden files.
 *
 * @throws {FileError} for a folder or a file that cannot be read.
 */
export async function prepareFolder(
  from: string,
  into: string,
  options: FolderOptions,
): Promise<PreparedFolder> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      throw new FileError(`read ${from}`, error);
    },
  );
  const files = new Map<string, PreparedFile>();
  for (const entry of entries) {
    const entryPath = join(entry.parentPath, entry.name);
    // Skips pipes and devices, which would never end; follows links to files.
    if (!(await stat(entryPath).catch(() => undefined))?.isFile()) continue;
    const name = relative(from, entryPath);
    if (name === SCRIPT || resolve(entryPath) === options.out || /(?:^|\/)\./.test(name)) continue;
    const file = { name, source: await realpath(entryPath), target: join(into, name) };
    const prepared = await prepareFile(file, options).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
      const message = 'a sheet of a workbook beside it would have the name of a file';
      return options.problems.fail(name, message, { cause: error });
    });
    files.set(name, prepared);
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Creates only new files, so that it never writes through a link of the operator. */
async function prepareFile(file: FileOfFolder, options: FolderOptions): Promise<PreparedFile> {
  const { name, source: path, target } = file;
  await mkdir(dirname(target), { recursive: true });
  if (TEXT.test(name)) return { path, readAs: [name], ...(await prepareText(file, options)) };
  await symlink(path, target);
  const readAs = WORKBOOK.test(name) ? await writeSheets(file, options) : [name];
  return { path, readAs, isCut: false };
}

class NotUtf8Error extends Error {
  override readonly name = 'NotUtf8Error';
}

/** Message about NUL characters, which are valid in UTF-8 but not in a table. */
const NUL = 'NUL characters, as UTF-16 without a byte order mark has';

async function prepareText(
  { name, source, target }: FileOfFolder,
  { encoding, problems }: FolderOptions,
): Promise<Pick<PreparedFile, 'encoding' | 'isCut'>> {
  let [end, used] = ['', 'utf-8'];
  const refuse = (message: string): never => {
    throw new NotUtf8Error(message);
  };
  const watched = async function* (
    texts: AsyncIterable<string>,
    refuseNul: (message: string) => never,
  ): AsyncGenerator<string> {
    for await (const text of texts) {
      if (text.includes('\0')) refuseNul(NUL);
      end = text.at(-1) ?? end;
      yield text;
    }
  };
  const bytes = () =>
    plainBytes(createReadStream(source), (message, why) => problems.fail(name, message, why));
  try {
    const texts = watched(utf8Text(bytes(), refuse), refuse);
    while ((await texts.next()).done !== true);
    await symlink(source, target);
  } catch (error) {
    if (!(error instanceof NotUtf8Error)) throw readError(source, error);
    if (encoding === undefined) {
      const label = error.message === NUL ? 'utf-16le' : 'windows-1252';
      problems.add(name, `${error.message}: add --encoding, such as ${label}`);
      return { isCut: false };
    }
    const file = createWriteStream(target, { flags: 'wx' });
    const decoder = new TextDecoder(encoding, { fatal: true });
    used = decoder.encoding;
    const text = watched(decoded(bytes(), decoder, name, problems), (message) =>
      problems.fail(name, `${message}, when it is read as ${used}`),
    );
    await (/\.gz$/i.test(name)
      ? pipeline(text, createGzip({ level: 1 }), file)
      : pipeline(text, file));
  }
  return { encoding: used, isCut: !/[\n\r]/.test(end) };
}

async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  decoder: InstanceType<typeof TextDecoder>,
  name: string,
  problems: Problems,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    problems.fail(name, `not ${decoder.encoding}, nor UTF-8`, { cause });
  }
}

function readError(source: string, error: unknown): unknown {
  return error instanceof Error && 'syscall' in error && systemCode(error) !== 'EEXIST'
    ? new FileError(`read ${source}`, error)
    : error;
}
