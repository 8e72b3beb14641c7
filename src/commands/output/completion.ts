/**
 * `bura completion`: prints a script by which a shell completes commands, flags and values. All three are made from the
 * program; they are static, but for the ids of snapshots, which `bura list` tells.
 */
import type { Argument, Command, Option } from 'commander';
import { printLine } from './terminal.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What a value can be, by its name as help shows it, and how each shell is told; `any`: nothing that a shell could know. */
const ACTIONS = {
  file: { bash: '_bura_files -f "$word"', zsh: '_files', fish: ' -F' },
  dir: {
    bash: '_bura_files -d "$word"',
    zsh: '_files -/',
    fish: " -f -a '(__fish_complete_directories)'",
  },
  id: {
    bash: '_bura_words "$(_bura_ids)" "$word"',
    zsh: '_bura_ids',
    fish: " -f -a '(__bura_ids)'",
  },
  'file-or-id': {
    bash: '_bura_files -f "$word"; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$(_bura_ids)" -- "$word")',
    zsh: '_bura_files_or_ids',
    fish: " -F -a '(__bura_ids)'",
  },
  any: { bash: ':', zsh: ' ', fish: ' -f' },
} as const;

interface Value {
  readonly kind: keyof typeof ACTIONS | 'choices';
  readonly actions: Readonly<Record<Shell, string>>;
}

interface Flag {
  /** Such as `--port`; a short form may come before it. */
  readonly names: readonly string[];
  readonly summary: string;
  /** Absent where it takes none. */
  readonly value?: Value;
}

/** @param shell which Commander has checked. */
export function completion(program: Command, shell: string): void {
  const script = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell as Shell];
  printLine(script(program).trimEnd());
}

function flagsOf(command: Command): readonly Flag[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => {
      const names = [option.short, option.long].filter((name) => name !== undefined);
      const [, valueName] = /[<[]([a-z-]+)[>\]]/.exec(option.flags) ?? [];
      // A snapshot id that does not exist yet has the name of one that does.
      const known = option.long === '--snapshot-id' ? 'any' : valueName;
      return {
        ...{ names, summary: option.description },
        ...(known !== undefined && { value: valueOf(known, option) }),
      };
    });
}

/** Of the first argument, and of those that may follow; none or one. */
function argumentsOf(command: Command): readonly Value[] {
  return command.registeredArguments.slice(0, 1).map((one) => valueOf(one.name(), one));
}

function valueOf(name: string, { argChoices }: Argument | Option): Value {
  if (argChoices === undefined) {
    const kind = name in ACTIONS ? (name as keyof typeof ACTIONS) : 'any';
    return { kind, actions: ACTIONS[kind] };
  }
  const words = argChoices.join(' ');
  const actions = {
    bash: `_bura_words '${words}' "$word"`,
    zsh: `(${words})`,
    fish: ` -f -a ${fishQuoted(words)}`,
  };
  return { kind: 'choices', actions };
}

function namesOf(flags: readonly Flag[]): string {
  return flags.flatMap(({ names }) => names).join(' ');
}

function commandNames(program: Command): string {
  return program.commands.map((command) => command.name()).join(' ');
}

function each(program: Command, text: (command: Command) => string | readonly string[]): string {
  return program.commands.flatMap(text).join('\n');
}

/** For bash 4 and later; it needs no `bash-completion`. */
function bashScript(program: Command): string {
  const names = commandNames(program);
  return `# bash completion for bura: what \`bura completion bash\` prints.

# Ids of the stored snapshots, in the store that the line names or else in that of the environment.
_bura_ids() {
  local options=()
  [[ $COMP_LINE =~ --snapshot-store[=\\ ]+([^\\ ]+) ]] && options+=(--snapshot-store "\${BASH_REMATCH[1]}")
  [[ $COMP_LINE =~ --key-prefix[=\\ ]+([^\\ ]+) ]] && options+=(--key-prefix "\${BASH_REMATCH[1]}")
  command "\${COMP_WORDS[0]}" list "\${options[@]}" 2>/dev/null </dev/null | cut -f 1
}

_bura_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_bura_files() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_bura() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} name='' i
  # --flag=value is three words.
  [[ $previous == '=' ]] && previous=\${COMP_WORDS[COMP_CWORD - 2]}
  [[ $word == '=' ]] && word=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -* ]] && continue
    name=\${COMP_WORDS[i]}
    break
  done
  COMPREPLY=()
  if [[ -z $name ]]; then
    _bura_words '${names} help ${namesOf(flagsOf(program))}' "$word"
    return
  fi
  case "$name $previous" in
${each(program, bashValues)}
  esac
  if [[ $word == -* ]]; then
    case $name in
${each(program, (command) => `      ${command.name()}) _bura_words '${namesOf(flagsOf(command))}' "$word" ;;`)}
    esac
    return
  fi
  case $name in
    help) _bura_words '${names}' "$word" ;;
${each(program, (command) => argumentsOf(command).map(({ actions }) => `    ${command.name()}) ${actions.bash} ;;`))}
  esac
}

complete -F _bura bura
`;
}

/** Values of a command's flags, those of the same kind together. */
function bashValues(command: Command): readonly string[] {
  const patterns = new Map<string, string[]>();
  for (const { names, value } of flagsOf(command)) {
    if (value === undefined) continue;
    const alternatives = patterns.get(value.actions.bash) ?? [];
    patterns.set(value.actions.bash, alternatives);
    alternatives.push(...names.map((name) => `'${command.name()} ${name}'`));
  }
  return [...patterns].map(
    ([action, all]) => `    ${all.join(' | ')})\n      ${action}\n      return ;;`,
  );
}

/** A function to be put into `$fpath` as `_bura`, or to be sourced after `compinit`. */
function zshScript(program: Command): string {
  const summary = (command: Command) => zshQuoted(`${command.name()}:${command.summary()}`);
  return `#compdef bura
# zsh completion for bura: what \`bura completion zsh\` prints.

# Ids of the stored snapshots, in the store that the line names or else in that of the environment.
_bura_ids() {
  local -a options ids
  [[ -n \${opt_args[--snapshot-store]} ]] && options+=(--snapshot-store "\${(Q)opt_args[--snapshot-store]}")
  [[ -n \${opt_args[--key-prefix]} ]] && options+=(--key-prefix "\${(Q)opt_args[--key-prefix]}")
  ids=(\${(f)"$(_call_program ids \${words_bura} list \${(q)options} 2>/dev/null | cut -f 1)"})
  compadd -a ids
}

_bura_files_or_ids() {
  _alternative 'ids:snapshot:_bura_ids' 'files:document:_files'
}

_bura_commands() {
  local -a commands=(
${each(program, (command) => `    ${summary(command)}`)}
  )
  _describe command commands
}

_bura() {
  local context state state_descr line words_bura=\${words[1]}
  typeset -A opt_args
  _arguments -C -A '-*' \\
${flagsOf(program)
  .map((flag) => `    ${zshFlag(flag)} \\`)
  .join('\n')}
    '1:command:_bura_commands' \\
    '*::argument:->argument'
  [[ $state == argument ]] || return
  case $words[1] in
${each(program, zshCase)}
    help) _arguments '1:command:_bura_commands' ;;
  esac
}

if [[ $funcstack[1] == _bura ]]; then
  _bura "$@"
else
  compdef _bura bura
fi
`;
}

function zshCase(command: Command): string {
  const specs = [
    ...flagsOf(command).map(zshFlag),
    ...argumentsOf(command).map(({ kind, actions }) => zshQuoted(`*:${kind}:${actions.zsh}`)),
  ].map((spec) => `        ${spec}`);
  return `    ${command.name()})\n      _arguments \\\n${specs.join(' \\\n')} ;;`;
}

/** `'(-h --help)'{-h,--help}'[summary]:value:action'` */
function zshFlag({ names, summary, value }: Flag): string {
  const action = value === undefined ? '' : `:${value.kind}:${value.actions.zsh}`;
  const explained = `[${summary.replace(/[[\]\\]/g, '\\$&')}]${action}`;
  const [first = '', ...others] = names.map((name) => (value === undefined ? name : `${name}=`));
  if (others.length === 0) return zshQuoted(`${first}${explained}`);
  return `'(${names.join(' ')})'{${[first, ...others].join(',')}}${zshQuoted(explained)}`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For fish 3. */
function fishScript(program: Command): string {
  const first = 'complete -c bura -n __fish_use_subcommand';
  return `# fish completion for bura: what \`bura completion fish\` prints.

# Ids of the stored snapshots, in the store that the line names or else in that of the environment.
function __bura_ids
    set -l words (commandline -opc)
    set -l options
    for flag in --snapshot-store --key-prefix
        set -l at (contains -i -- $flag $words); and set -a options $flag $words[(math $at + 1)]
    end
    command $words[1] list $options 2>/dev/null </dev/null | string replace -r '\\t.*' ''
end

complete -c bura -f
${flagsOf(program)
  .map((flag) => first + fishFlag(flag))
  .join('\n')}
${each(program, (command) => `${first} -a ${command.name()} -d ${fishQuoted(command.summary())}`)}
${first} -a help -d 'display help for command'
complete -c bura -n '__fish_seen_subcommand_from help' -a ${fishQuoted(commandNames(program))}
${each(program, (command) =>
  [
    ...flagsOf(command).map(fishFlag),
    ...argumentsOf(command).map(({ actions }) => actions.fish),
  ].map((words) => `complete -c bura -n '__fish_seen_subcommand_from ${command.name()}'${words}`),
)}
`;
}

function fishFlag({ names, summary, value }: Flag): string {
  const words = names.map((name) =>
    name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`,
  );
  const taken = value === undefined ? '' : ` -r${value.actions.fish}`;
  return `${words.join('')}${taken} -d ${fishQuoted(summary)}`;
}

/** In single quotes fish knows only these two escapes. */
function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
