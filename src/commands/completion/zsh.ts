/** The script for zsh: a function to be put into `$fpath` as `_bura`, or to be sourced after `compinit`. */
import type { CompletedCommand, CompletedFlag, CompletedProgram, Value } from './model.js';

export function zshScript({ flags, commands }: CompletedProgram): string {
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
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  _describe command commands
}

_bura() {
  local context state state_descr line words_bura=\${words[1]}
  typeset -A opt_args
  _arguments -C -A '-*' \\
${flags.map((flag) => `    ${flagSpec(flag)} \\`).join('\n')}
    '1:command:_bura_commands' \\
    '*::argument:->argument'
  [[ $state == argument ]] || return
  case $words[1] in
${commands.map(commandCase).join('\n')}
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

function commandCase({ name, flags, argument }: CompletedCommand): string {
  const specs = [
    ...flags.map(flagSpec),
    ...(argument === undefined ? [] : [quoted(`*:${argument.kind}:${actionOf(argument)}`)]),
  ];
  return `    ${name})\n      _arguments \\\n${specs.map((spec) => `        ${spec}`).join(' \\\n')} ;;`;
}

/** `'(-h --help)'{-h,--help}'[summary]:value:action'` */
function flagSpec({ names, summary, value }: CompletedFlag): string {
  const explained = `[${summary.replace(/[[\]\\]/g, '\\$&')}]`;
  const action = value === undefined ? '' : `:${value.kind}:${actionOf(value)}`;
  const [first = '', ...others] = names.map((name) => (value === undefined ? name : `${name}=`));
  if (others.length === 0) return quoted(`${first}${explained}${action}`);
  return `'(${names.join(' ')})'{${[first, ...others].join(',')}}${quoted(`${explained}${action}`)}`;
}

function actionOf(value: Value): string {
  switch (value.kind) {
    case 'choices':
      return `(${value.choices.join(' ')})`;
    case 'file':
      return '_files';
    case 'dir':
      return '_files -/';
    case 'id':
      return '_bura_ids';
    case 'file-or-id':
      return '_bura_files_or_ids';
    case 'any':
      return ' ';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
