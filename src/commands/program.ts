/** The command `bura`: names, flags and exit codes (`docs/operations.md`, "Commands and exit codes"). */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { build } from './build.js';
import { list } from './list.js';
import { prune } from './prune.js';
import { activate, publish } from './publish.js';
import { serve } from './serve.js';
import { watchOutput, onOneLine } from './terminal.js';
import { UsageError } from './usage-error.js';
import { verify } from './verify.js';
import {
  DEFAULT_SCHEMA_VERSION,
  SCHEMA_VERSIONS,
  type SchemaVersion,
} from '../snapshot/document/schema-version.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { parseSettings, SETTING_FLAGS, SettingsError, type Settings } from '../settings.js';

const DONE = 0;
const FAILED = 1;
const BAD_USAGE = 2;

type Flags = Readonly<Record<string, unknown>>;

/** What a command does, which is in `commands/`; the number is an exit code. */
type Run = (settings: Settings, flags: Flags, argument: string) => Promise<number | undefined>;

function createProgram(): Command {
  const program = new Command('bura')
    .description('Open-data service for hourly air-quality and weather measurements.')
    .version(packageVersion())
    .exitOverride()
    // `fail` writes the one line of a failure.
    .configureOutput({ writeErr: () => undefined })
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 bad usage or configuration.');

  add(program, 'serve', 'serve the active snapshot of the store', ['bura serve --port 8080'])
    .option('--demo <dir>', 'publish a snapshot of these CSV files if the store is empty')
    .action(run((settings, flags) => serve(settings, { ...text(flags, 'demo') })));

  add(program, 'build', 'make a snapshot document from CSV files', [
    'bura build --from data/demo --out snapshot.json.gz',
  ])
    .requiredOption('--from <dir>', 'folder with stations.csv, components.csv, measurements.csv...')
    .requiredOption('--out <file>', 'document to write, .json or .json.gz')
    .option(
      '--organization-name <name>',
      'name of the organization, if there is no organizations.csv',
    )
    .option('--organization-short-name <name>', 'its short name, also for its network')
    .option('--generated-at <time>', 'ISO 8601 in UTC; default: one hour after the newest row')
    .option('--snapshot-id <id>', 'default: generation time and part of a content digest')
    .addOption(
      new Option('--schema-version <version>', 'schema version of the document')
        .choices(SCHEMA_VERSIONS)
        .default(DEFAULT_SCHEMA_VERSION),
    )
    .action(
      run((_settings, flags) =>
        done(
          build({
            from: required(flags, 'from'),
            out: required(flags, 'out'),
            ...text(flags, 'organizationName'),
            ...text(flags, 'organizationShortName'),
            ...text(flags, 'generatedAt'),
            ...text(flags, 'snapshotId'),
            ...schemaVersion(flags),
          }),
        ),
      ),
    );

  add(program, 'publish', 'check a snapshot document, store it and make it active', [
    'bura publish snapshot.json.gz',
    'bura publish tomorrow.json --no-activate',
  ])
    .argument('<file>', 'snapshot document, .json or .json.gz')
    .option('--no-activate', 'store it without making it active')
    .action(
      run((settings, flags, file) =>
        done(publish(settings, { file, activate: flags['activate'] !== false })),
      ),
    );

  add(program, 'activate', 'make a stored snapshot active, also an older one', [
    'bura activate 20260101T000000Z-0123456789ab',
  ])
    .argument('<id>', 'snapshot id, as bura list shows it')
    .action(run((settings, _flags, id) => done(activate(settings, { id }))));

  add(program, 'list', 'list stored snapshots, newest first', ['bura list', 'bura list --json'])
    .option('--json', 'print JSON')
    .action(run((settings, flags) => done(list(settings, { json: flags['json'] === true }))));

  add(program, 'verify', 'check a snapshot document', [
    'bura verify snapshot.json.gz',
    'bura verify 20260101T000000Z-0123456789ab',
  ])
    .argument('<file-or-id>', 'path of a document, or id of a stored snapshot')
    .action(run((settings, _flags, subject) => done(verify(settings, { subject }))));

  add(program, 'prune', 'remove old snapshots and leftovers of killed publishers', [
    'bura prune --keep 7',
  ])
    .requiredOption(
      '--keep <n>',
      'number of newest snapshots to keep, besides the active one',
      parseKeep,
    )
    .action(run((settings, flags) => done(prune(settings, { keep: Number(flags['keep']) }))));
  for (const command of program.commands) addSettings(command);
  return program;
}

function addSettings(command: Command): void {
  for (const { flag, variable, meaning, shownDefault } of SETTING_FLAGS) {
    command.addOption(
      new Option(`${flag} <value>`, `${meaning} (${variable}; default: ${shownDefault})`).helpGroup(
        'Settings (a flag comes before its environment variable):',
      ),
    );
  }
}

/** Adds a command; the settings, which all commands have, are added after its own flags. */
function add(
  program: Command,
  name: string,
  summary: string,
  examples: readonly string[],
): Command {
  const command = program.command(name).description(`${summary}.`).summary(summary);
  const lines = examples.map((example) => `  ${example}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${lines}`);
}

/** The action of a command: Commander calls it with the arguments, the flags and the command. */
function run(work: Run) {
  return async (...parameters: unknown[]): Promise<void> => {
    const command = parameters.at(-1);
    if (!(command instanceof Command)) throw new TypeError('called without its command');
    const flags: Flags = command.opts();
    const settings = parseSettings({ environment: process.env, flags: settingFlags(flags) });
    const code = await work(settings, flags, command.args[0] ?? '');
    if (code !== undefined) process.exitCode = code;
  };
}

function settingFlags(flags: Flags): Partial<Record<keyof Settings, string>> {
  const given: Partial<Record<keyof Settings, string>> = {};
  for (const { name } of SETTING_FLAGS) {
    const value = flags[name];
    if (typeof value === 'string') given[name] = value;
  }
  return given;
}

async function done(work: Promise<void>): Promise<number> {
  await work;
  return DONE;
}

/** A flag as an object member, which is absent if the flag was not given. */
function text<Name extends string>(flags: Flags, name: Name): Partial<Record<Name, string>> {
  const value = flags[name];
  const found: Partial<Record<Name, string>> = {};
  if (typeof value === 'string') found[name] = value;
  return found;
}

/** Commander has refused any other version. */
function schemaVersion(flags: Flags): { schemaVersion?: SchemaVersion } {
  const found = SCHEMA_VERSIONS.find((known) => known === flags['schemaVersion']);
  return found === undefined ? {} : { schemaVersion: found };
}

/** A flag without which Commander refuses to run. */
function required(flags: Flags, name: string): string {
  return String(flags[name]);
}

function parseKeep(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('expected a number of snapshots');
  return Number(value);
}

/** The version in the nearest package.json: one folder above `dist`, two above `build/src`. */
function packageVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
        return String(manifest.version);
      }
    } catch {
      // It is the other path.
    }
  }
  return 'unknown';
}

function exitCodeOf(error: unknown): number {
  if (error instanceof SettingsError || error instanceof UsageError) return BAD_USAGE;
  if (error instanceof SnapshotError && error.code === 'store_unsupported') return BAD_USAGE;
  return FAILED;
}

async function main(): Promise<void> {
  watchOutput();
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help or version was asked for and has been printed.
      if (error.exitCode === 0) return;
      fail(usageMessage(error), BAD_USAGE);
      return;
    }
    fail(error instanceof Error ? error.message : String(error), exitCodeOf(error));
  }
}

function usageMessage(error: CommanderError): string {
  const message = error.message.replace(/^error: /, '').replace(/\.$/, '');
  return error.code === 'commander.help'
    ? 'no command given; bura --help lists them'
    : `${message}; see --help`;
}

function fail(message: string, code: number): void {
  process.stderr.write(`bura: ${onOneLine(message)}\n`);
  process.exitCode = code;
}

await main();
