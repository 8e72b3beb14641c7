/** The script for fish 3. */
import type { CompletedCommand, CompletedFlag, CompletedProgram, Value } from './model.js';

export function fishScript({ flags, commands }: CompletedProgram): string {
  const names = commands.map(({ name }) => name).join(' ');
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
${flags.map((flag) => `complete -c bura -n __fish_use_subcommand${flagWords(flag)}`).join('\n')}
${commands.map(({ name, summary }) => `complete -c bura -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`).join('\n')}
complete -c bura -n __fish_use_subcommand -a help -d 'display help for command'
complete -c bura -n '__fish_seen_subcommand_from help' -a ${quoted(names)}
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ name, flags, argument }: CompletedCommand): readonly string[] {
  const condition = `complete -c bura -n '__fish_seen_subcommand_from ${name}'`;
  return [
    ...flags.map((flag) => condition + flagWords(flag)),
    ...(argument === undefined ? [] : [condition + valueWords(argument)]),
  ];
}

function flagWords({ names, summary, value }: CompletedFlag): string {
  const words = names.map((name) =>
    name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`,
  );
  const taken = value === undefined ? '' : ` -r${valueWords(value)}`;
  return `${words.join('')}${taken} -d ${quoted(summary)}`;
}

function valueWords(value: Value): string {
  switch (value.kind) {
    case 'choices':
      return ` -f -a ${quoted(value.choices.join(' '))}`;
    case 'file':
      return ' -F';
    case 'dir':
      return " -f -a '(__fish_complete_directories)'";
    case 'id':
      return " -f -a '(__bura_ids)'";
    case 'file-or-id':
      return " -F -a '(__bura_ids)'";
    case 'any':
      return ' -f';
  }
}

/** In single quotes fish knows only these two escapes. */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
