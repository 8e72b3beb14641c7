/** The script for bash 4 and later; it needs no `bash-completion`. */
import type { CompletedCommand, CompletedFlag, CompletedProgram, Value } from './model.js';

export function bashScript({ flags, commands }: CompletedProgram): string {
  const names = commands.map(({ name }) => name);
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
    _bura_words '${[...names, 'help', ...namesOf(flags)].join(' ')}' "$word"
    return
  fi
  case "$name $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $word == -* ]]; then
    case $name in
${commands.map(flagCase).join('\n')}
    esac
    return
  fi
  case $name in
    help) _bura_words '${names.join(' ')}' "$word" ;;
${commands.flatMap(argumentCase).join('\n')}
  esac
}

complete -F _bura bura
`;
}

/** Values of flags, those of the same kind together. */
function valueCases({ name, flags }: CompletedCommand): readonly string[] {
  const patterns = new Map<string, string[]>();
  for (const flag of flags) {
    if (flag.value === undefined) continue;
    const action = actionOf(flag.value);
    const pattern = namesOf([flag]).map((one) => `'${name} ${one}'`);
    patterns.set(action, [...(patterns.get(action) ?? []), ...pattern]);
  }
  return [...patterns].map(
    ([action, alternatives]) =>
      `    ${alternatives.join(' | ')})\n      ${action}\n      return ;;`,
  );
}

function flagCase({ name, flags }: CompletedCommand): string {
  return `      ${name}) _bura_words '${namesOf(flags).join(' ')}' "$word" ;;`;
}

function argumentCase({ name, argument }: CompletedCommand): readonly string[] {
  return argument === undefined ? [] : [`    ${name}) ${actionOf(argument)} ;;`];
}

function actionOf(value: Value): string {
  switch (value.kind) {
    case 'choices':
      return `_bura_words '${value.choices.join(' ')}' "$word"`;
    case 'file':
      return '_bura_files -f "$word"';
    case 'dir':
      return '_bura_files -d "$word"';
    case 'id':
      return '_bura_words "$(_bura_ids)" "$word"';
    case 'file-or-id':
      return '_bura_files -f "$word"; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$(_bura_ids)" -- "$word")';
    case 'any':
      return ':';
  }
}

function namesOf(flags: readonly CompletedFlag[]): readonly string[] {
  return flags.flatMap(({ names }) => names);
}
