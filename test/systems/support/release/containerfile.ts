/** Reads a Containerfile: its instructions in order, each with its flags and its words. */

export interface Instruction {
  readonly name: string;
  /** Values by name: `--from=build` is `build` under `from`. */
  readonly flags: Readonly<Record<string, string>>;
  /** The text after the flags, unchanged. */
  readonly text: string;
}

export function parseContainerfile(content: string): readonly Instruction[] {
  return content
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseInstruction);
}

function parseInstruction(line: string): Instruction {
  const [, name = '', given = '', text = ''] =
    /^([A-Z]+)((?: +--[a-z-]+=\S+)*) +(.*)$/.exec(line) ?? [];
  if (name === '') throw new Error(`not an instruction: ${line}`);
  const flags = [...given.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, flag = '', value = '']) => [
    flag,
    value,
  ]);
  return { name, flags: Object.fromEntries(flags) as Record<string, string>, text };
}

/** The words of the exec form: a JSON array. */
export function wordsOf(text: string): readonly string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words)) throw new Error(`not the exec form: ${text}`);
  return words.map(String);
}

/** Variables of ENV: `A=1 B=2`. */
export function variablesOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(/ +/).map((pair) => {
    const [, variable = '', value = ''] = /^(\w+)=(.*)$/.exec(pair) ?? [];
    if (variable === '' || /["'\\$]/.test(value)) throw new Error(`not a plain pair: ${pair}`);
    return [variable, value];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}
