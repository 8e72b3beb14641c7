/** The door to DuckDB, which only publishers need: one database in memory, bounded, that reads one folder and no network. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as DuckDb from '@duckdb/node-api';
import { optionalPackage } from '../../version.js';
import { MACROS } from './macros.js';

/** Where it is installed for a package of ours: beside the libraries of that, npm would remove them. */
const OWN_FOLDER = fileURLToPath(new URL('../../../duckdb', import.meta.url));

/** Memory limit of DuckDB; the rest goes to the folder of temporary files. */
const MEMORY_LIMIT = '160MB';

const PROGRESS_POLL_MS = 250;

/** A refusal of `bura.sql`, or of DuckDB. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
}

export interface DatabaseOptions {
  /** For what does not fit into memory. */
  readonly temporary: string;
  /** The files outside of `temporary` that can be read. */
  readonly paths: readonly string[];
  /** Ends what is being done. */
  readonly signal?: AbortSignal | undefined;
  /** Called with how much of a statement is done, 0 to 100. */
  readonly onProgress?: ((percent: number) => void) | undefined;
}

export class Database {
  readonly #instance: DuckDb.DuckDBInstance;
  readonly #connection: DuckDb.DuckDBConnection;
  readonly #options: DatabaseOptions;

  private constructor(
    instance: DuckDb.DuckDBInstance,
    connection: DuckDb.DuckDBConnection,
    options: DatabaseOptions,
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#options = options;
  }

  /** @throws {SqlError} one line that says what to type, where DuckDB is not installed. */
  static async open(options: DatabaseOptions): Promise<Database> {
    const { DuckDBInstance } = await loadDuckDb();
    const { temporary, paths } = options;
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: MEMORY_LIMIT,
      temp_directory: temporary,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const database = new Database(instance, await instance.connect(), options);
    await database.run(`
      SET TimeZone = 'UTC';
      SET allowed_directories = [${quoted(temporary)}];
      SET allowed_paths = [${paths.map((path) => quoted(path)).join(', ')}];
      SET enable_external_access = false;
      SET enable_external_file_cache = false;
      SET enable_progress_bar = true; SET enable_progress_bar_print = false;
      CALL enable_logging('FileSystem');
      ${MACROS}`);
    return database;
  }

  /** @throws {SqlError} with DuckDB's own message, which names the line of the text. */
  async run(sql: string): Promise<void> {
    await this.#watched(() => this.#connection.run(sql));
  }

  /** Runs the operator's script, which only reads files: what DuckDB may read it may also write. @throws {SqlError} */
  async runScript(sql: string): Promise<void> {
    const { StatementType: type } = await loadDuckDb();
    const allowed = new Set<number>([
      ...[type.SELECT, type.INSERT, type.UPDATE, type.DELETE, type.MERGE_INTO],
      ...[type.CREATE, type.ALTER, type.DROP, type.SET, type.TRANSACTION],
    ]);
    // Options say where DuckDB writes, and what a time without a zone means.
    await this.run('SET lock_configuration = true');
    await this.#watched(async () => {
      const statements = await this.#connection.extractStatements(sql);
      for (let at = 0; at < statements.count; at += 1) {
        const statement = await statements.prepare(at);
        const { statementType } = statement;
        if (!allowed.has(statementType)) {
          throw new Error(`${type[statementType]}: a script may only read files, by SELECT`);
        }
        await statement.run().finally(() => {
          statement.destroySync();
        });
      }
    });
  }

  /** All rows, every value as text; NULL is an empty one. @throws {SqlError} */
  async texts(sql: string): Promise<readonly (readonly string[])[]> {
    const reader = await this.#watched(() => this.#connection.runAndReadAll(sql));
    return reader.getRows().map((row) => row.map((value) => (value === null ? '' : String(value))));
  }

  /** The files that statements have opened, as they are named from the folder. */
  async filesRead(): Promise<ReadonlySet<string>> {
    const rows = await this.texts(`
      SELECT DISTINCT regexp_extract(message, '"path":"(.*)","op":"OPEN"', 1) FROM duckdb_logs
      WHERE type = 'FileSystem' AND contains(message, '"op":"OPEN"')`);
    // The log does not escape quotes. A pattern finds files with a dot before.
    return new Set(rows.map(([path = '']) => path.replace(/^\.\//, '')));
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    const { signal, onProgress } = this.#options;
    signal?.throwIfAborted();
    const interrupt = (): void => {
      this.#connection.interrupt();
    };
    signal?.addEventListener('abort', interrupt);
    // Not known yet, it is -1.
    const look = () => onProgress?.(Math.max(0, this.#connection.progress.percentage));
    const timer = setInterval(look, PROGRESS_POLL_MS);
    try {
      return await work();
    } catch (cause) {
      signal?.throwIfAborted();
      throw new SqlError(oneLine(cause), { cause });
    } finally {
      clearInterval(timer);
      signal?.removeEventListener('abort', interrupt);
    }
  }
}

/** @param use why DuckDB is needed, for the message of the `SqlError` where it is not installed. */
export async function loadDuckDb(use = 'bura.sql is read by DuckDB'): Promise<typeof DuckDb> {
  const { resolve } = createRequire(import.meta.url);
  const name = '@duckdb/node-api';
  try {
    const path = resolve(name, { paths: [import.meta.dirname, OWN_FOLDER] });
    return (await import(pathToFileURL(path).href)) as typeof DuckDb;
  } catch (cause) {
    const what = `${use}, which is not installed`;
    const command = `npm install --prefix ${OWN_FOLDER} ${optionalPackage(name)}`;
    throw new SqlError(`${what}: ${command}`, { cause });
  }
}

/** A text or a name as SQL writes it. */
export function quoted(text: string, mark: "'" | '"' = "'"): string {
  return `${mark}${text.replaceAll(mark, mark + mark)}${mark}`;
}

/** Lines of what to try instead, such as to read on over what is wrong, and of every option of a file but its name. */
const ADVICE =
  /^(?:\^?$|\*|Possible fixes|The search space|.* Candidates:|Encoding:|This type was|(?!file )\w+ = )/;

/** One line of what is wrong has to do; DuckDB draws it, and adds what might be tried. */
function oneLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text
    .replace(/^Failed to extract statements: /, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !ADVICE.test(line))
    .join(' ');
}
