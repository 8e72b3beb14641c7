/** What shells need to know of the command line: commands, flags, and what each value can be. Made from the program. */
import type { Argument, Command, Option } from 'commander';

/** What a value can be; `any`: nothing that a shell could know. */
export type Value =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'file' | 'dir' | 'id' | 'file-or-id' | 'any' };

export interface CompletedFlag {
  /** Such as `--port`; a short form may come before it. */
  readonly names: readonly string[];
  readonly summary: string;
  /** Absent where it takes none. */
  readonly value?: Value;
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Of the first argument, and of those that may follow. */
  readonly argument?: Value;
}

export interface CompletedProgram {
  readonly flags: readonly CompletedFlag[];
  readonly commands: readonly CompletedCommand[];
}

/** A value is known by its name, as help shows it: `<file>`, `<dir>`, `<id>`, `<file-or-id>`; others are `any`. */
const NAMED = ['file', 'dir', 'id', 'file-or-id'] as const;

/** A snapshot id that does not exist yet has the same name. */
const NEW_ID = '--snapshot-id';

export function describeProgram(program: Command): CompletedProgram {
  return { flags: flagsOf(program), commands: program.commands.map(describeCommand) };
}

function describeCommand(command: Command): CompletedCommand {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    summary: command.summary(),
    flags: flagsOf(command),
    ...(argument !== undefined && { argument: valueOf(argument.name(), argument) }),
  };
}

function flagsOf(command: Command): readonly CompletedFlag[] {
  return command.createHelp().visibleOptions(command).map(describeFlag);
}

function describeFlag(option: Option): CompletedFlag {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const [, valueName] = /[<[]([a-z-]+)[>\]]/.exec(option.flags) ?? [];
  return {
    names,
    summary: option.description,
    ...(valueName !== undefined && {
      value: option.long === NEW_ID ? { kind: 'any' } : valueOf(valueName, option),
    }),
  };
}

function valueOf(name: string, { argChoices }: Argument | Option): Value {
  if (argChoices !== undefined) return { kind: 'choices', choices: argChoices };
  return { kind: NAMED.find((kind) => kind === name) ?? 'any' };
}
