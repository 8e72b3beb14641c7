/** Declares a command: flags, examples, exit codes, the settings that it reads, and its function. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { SCHEMA_VERSIONS, type SchemaVersion } from '../snapshot/document/schema-version.js';
import { GATE_NAMES } from '../publishing/findings.js';
import { parseSettings, SETTING_FLAGS, type Settings } from '../settings.js';

/** A mistake of the caller: exit code 2; every other failure has exit code 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Flags = Readonly<Record<string, unknown>>;

type Run = (settings: Settings, flags: Flags, ...args: string[]) => Promise<void>;

export interface Details {
  readonly examples: readonly string[];
  readonly exitCodes: readonly [string, string];
}

const DETAILS = new WeakMap<Command, Details>();

const SETTINGS_GROUP = 'Settings (a flag comes before its environment variable):';

export function detailsOf(command: Command): Details {
  return DETAILS.get(command) ?? { examples: [], exitCodes: ['done', 'failed'] };
}

const OF_STORE = ['key-prefix', 'snapshot-store', 'redis-ca-file', 'redis-sentinel-password'];

/** Settings that commands other than `serve` read, for help; each command accepts all settings. */
const READ: Readonly<Record<string, readonly string[]>> = {
  health: ['key-prefix', 'local-dir', 'host', 'port', 'port-shared'],
  status: ['key-prefix', 'local-dir'],
  texts: [],
};

/** Adds flags for all settings to a command; the command's own flag of the same name stays. */
export function addSettings(command: Command): void {
  const name = command.name();
  const read = READ[name] ?? [...OF_STORE, 'local-dir'];
  for (const { flag, variable, meaning, shownDefault, value, choices } of SETTING_FLAGS) {
    if (command.options.some(({ long }) => long === flag)) continue;
    const words = `${meaning} (${variable}; default: ${shownDefault})`;
    const option = new Option(`${flag} <${value}>`, words).helpGroup(SETTINGS_GROUP);
    // Set without `choices()`: the settings report all wrong values together.
    if (choices !== undefined) option.argChoices = [...choices];
    command.addOption(option.hideHelp(name !== 'serve' && !read.includes(flag.slice(2))));
  }
  if (name !== 'serve') command.addHelpText('after', '\nAll settings of bura serve are accepted.');
}

/** Adds a command; the settings, which all commands have, are added after its own flags. */
export function add(
  program: Command,
  name: string,
  summary: string,
  examples: readonly string[],
  codes: readonly [string, string] = ['done', 'failed'],
): Command {
  const command = program.command(name).description(`${summary}.`).summary(summary);
  const details = { examples, exitCodes: codes };
  DETAILS.set(command, details);
  const lines = examples.map((example) => `  ${example}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${lines}\n\n${exitCodes(details)}`);
}

export function exitCodes({ exitCodes: [done, failed] }: Details): string {
  return `Exit codes: 0 ${done}; 1 ${failed}; 2 bad usage or configuration.`;
}

/**
 * The action of a command, which Commander calls with the arguments, the flags and the command.
 *
 * @param load loads the function of the command, when the command is run.
 */
export function run(load: () => Promise<Run>) {
  return async (...parameters: unknown[]): Promise<void> => {
    const command = parameters.at(-1);
    if (!(command instanceof Command)) throw new TypeError('called without its command');
    const flags: Flags = command.opts();
    const given = text(flags, ...SETTING_FLAGS.map(({ name }) => name));
    const settings = parseSettings({ environment: process.env, flags: given });
    const work = await load();
    await work(settings, flags, ...command.args);
  };
}

/** The given ones of some flags with texts. */
export function text<Name extends string>(
  flags: Flags,
  ...names: readonly Name[]
): Partial<Record<Name, string>> {
  const chosen: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = flags[name];
    if (typeof value === 'string') chosen[name] = value;
  }
  return chosen;
}

/** A schema version if it is known; Commander has refused unknown ones in flags. */
export function schemaVersion(wanted: unknown): { schemaVersion?: SchemaVersion } {
  const version = SCHEMA_VERSIONS.find((known) => known === wanted);
  return version === undefined ? {} : { schemaVersion: version };
}

export function parseKeep(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('expected a number of snapshots');
  return Number(value);
}

export function parseTimeout(value: string): number {
  const seconds = /^\d{1,4}(?:\.\d{1,3})?$/.test(value) ? Number(value) : NaN;
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('expected a number of seconds above 0');
}

/** `--allow MISTAKE` (`docs/operations/publishing.md`, "Gates"), repeatable. */
export function allowOption(): Option {
  return new Option('--allow <mistake>', 'let a likely mistake pass; may be repeated')
    .choices(GATE_NAMES)
    .argParser((value: string, before: readonly string[] | undefined) => {
      if (GATE_NAMES.includes(value)) return [...(before ?? []), value];
      throw new InvalidArgumentError(`expected one of ${GATE_NAMES.join(', ')}`);
    });
}
