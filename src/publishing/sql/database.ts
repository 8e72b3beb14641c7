/** The only file that loads DuckDB: an in-memory database with bounded memory that reads one folder and no network. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as DuckDb from '@duckdb/node-api';
import { messageOf } from '../../snapshot/domain/snapshot-error.js';
import { optionalPackage } from '../../version.js';
import { MACROS } from './macros.js';

/** Folder for DuckDB where the service is a package: npm would remove DuckDB from the libraries inside the package. */
const OWN_FOLDER = fileURLToPath(new URL('../../../duckdb', import.meta.url));

const MEMORY_LIMIT = '160MB';

const PROGRESS_POLL_MS = 250;

/** An error in `bura.sql`, reported by this service or DuckDB. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
}

export interface DatabaseOptions {
  /** Folder that DuckDB can read, and where it stores data beyond the memory limit. */
  readonly temporary: string;
  /** Readable files outside of `temporary`. */
  readonly paths: readonly string[];
  /** Interrupts statements. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of the running statement, in per cent. */
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

  /** @throws {SqlError} where DuckDB is not installed; the message has the command that installs it. */
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

  /** @throws {SqlError} with DuckDB's message, which names the line of the SQL text. */
  async run(sql: string): Promise<void> {
    await this.#watched(() => this.#connection.run(sql));
  }

  /** Runs the operator's script; refuses statements that could write any of the readable files. @throws {SqlError} */
  async runScript(sql: string): Promise<void> {
    const { StatementType: type } = await loadDuckDb();
    const allowed = new Set<number>([
      ...[type.SELECT, type.INSERT, type.UPDATE, type.DELETE, type.MERGE_INTO],
      ...[type.CREATE, type.ALTER, type.DROP, type.SET, type.TRANSACTION],
    ]);
    // Options decide where DuckDB may write, and how it reads times without a zone, so a script must not set them.
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

  /** All rows of a query as texts; NULL becomes an empty text. @throws {SqlError} */
  async texts(sql: string): Promise<readonly (readonly string[])[]> {
    const reader = await this.#watched(() => this.#connection.runAndReadAll(sql));
    return reader.getRows().map((row) => row.map((value) => (value === null ? '' : String(value))));
  }

  /** Names of the files that DuckDB has opened, relative to the folder. */
  async filesRead(): Promise<ReadonlySet<string>> {
    const rows = await this.texts(`
      SELECT DISTINCT regexp_extract(message, '"path":"(.*)","op":"OPEN"', 1) FROM duckdb_logs
      WHERE type = 'FileSystem' AND contains(message, '"op":"OPEN"')`);
    // The log does not escape quotes in paths. Files found by a pattern have names that begin with `./`.
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
    // The percentage is -1 while it is unknown.
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

export function quoted(text: string, mark: "'" | '"' = "'"): string {
  return `${mark}${text.replaceAll(mark, mark + mark)}${mark}`;
}

/** Lines of a message of DuckDB that give advice, such as to ignore errors, or that list options. */
const ADVICE =
  /^(?:\^?$|\*|Possible fixes|The search space|.* Candidates:|Encoding:|This type was|(?!file )\w+ = )/;

/** DuckDB's message as one line, without its advice and the `^` below the SQL text. */
function oneLine(cause: unknown): string {
  return messageOf(cause)
    .replace(/^Failed to extract statements: /, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !ADVICE.test(line))
    .join(' ');
}
