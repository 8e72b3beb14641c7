/** Checks the operator's JSON files by tables of their members (docs/translating.md). */
import { isLanguageTag, type LineProblem } from './text-files.js';

export type Texts = Readonly<Record<string, string>>;

/** A check of a member's value, and its expected form for messages. */
export interface Value {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly isRequired?: boolean;
}

export interface Members {
  readonly [name: string]: Value | { readonly members: Members } | { readonly items: Members };
}

/** The member's name is such as `[0].steps[2].color`. */
export type Problem = readonly [name: string, problem: string, found?: unknown];

export const TEXTS: Value = {
  expected: 'texts by language, such as {"en": "..."}',
  fits: (value) => {
    const texts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const isFit = texts.every(
      ([language, text]) =>
        isLanguageTag(language) && typeof text === 'string' && text.trim() !== '',
    );
    return isFit && texts.length > 0;
  },
};

export function text(expected: string, fits: (text: string) => boolean): Value {
  return { expected, fits: (value) => typeof value === 'string' && fits(value) };
}

/** A list of different texts, at least one. */
export function list(expected: string, fits: (text: string) => boolean): Value {
  const isFit = (value: unknown, at: number, all: readonly unknown[]): boolean =>
    typeof value === 'string' && fits(value) && all.indexOf(value) === at;
  return {
    expected,
    fits: (value) => Array.isArray(value) && value.length > 0 && value.every(isFit),
  };
}

/** The value of a file; undefined unless it is JSON. */
export function parseJson(text: string, check: (value: unknown) => readonly Problem[]) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = `not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { value, problems: [{ line: 1, problem }] };
  }
  const problems = check(value).map(([name, problem, found]): LineProblem => {
    const member = JSON.stringify(name.replace(/.*\./, ''));
    const at = Math.max(text.indexOf(`${member}: ${JSON.stringify(found)}`), text.indexOf(member));
    const line = at < 0 ? 1 : text.slice(0, at).split('\n').length;
    return { line, problem: `${name}: ${problem}` };
  });
  return { value, problems };
}

/** Problems of each member, by its name with the prefix. */
export function problemsOf(value: unknown, members: Members, prefix = ''): readonly Problem[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const given = new Map<string, unknown>(isObject ? Object.entries(value) : []);
  return [
    ...(isObject ? [] : [[prefix, 'expected an object'] as const]),
    ...Object.entries(members).flatMap(([name, member]): readonly Problem[] => {
      const own = given.get(name);
      const found = own === undefined ? 'nothing' : JSON.stringify(own).slice(0, 80);
      if ('members' in member)
        return own === undefined ? [] : problemsOf(own, member.members, `${prefix}${name}.`);
      if ('items' in member)
        return Array.isArray(own) && own.length > 0 && own.length <= 30
          ? own.flatMap((item, at) => problemsOf(item, member.items, `${prefix}${name}[${at}].`))
          : [[prefix + name, `expected a list of 1 to 30 objects, found ${found}`]];
      if (member.fits(own) || (own === undefined && !member.isRequired)) return [];
      return [[prefix + name, `expected ${member.expected}, found ${found}`, own]];
    }),
    ...[...given.keys()]
      .filter((name) => !Object.hasOwn(members, name))
      .map((name) => [prefix + name, 'no such member'] as const),
  ];
}
