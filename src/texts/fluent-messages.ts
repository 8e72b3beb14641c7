/** Messages of one file in one language (Project Fluent). */
import { FluentBundle, FluentNumber, FluentResource, type FluentVariable } from '@fluent/bundle';
import { cached } from './cached.js';

/** Changes the words of a text, but no code, addresses or placeholders. */
export type Transform = (text: string) => string;

/** Numbers select plurals; they are written without thousands separators. */
export type MessageValues = Readonly<Record<string, string | number>>;

export interface Messages {
  readonly language: string;
  /** @throws {RangeError} for an unknown message or a missing value. */
  (id: string, values?: MessageValues): string;
  has(id: string): boolean;
  /** Messages without placeholders, by name. */
  plain(): Readonly<Record<string, string>>;
}

/** @param language tag of the messages, whose plural rules apply. */
export function readMessages(text: string, language: string, transform?: Transform): Messages {
  const bundle = new FluentBundle(language, {
    useIsolating: false,
    // Fluent passes the same literal parts at each use.
    ...(transform && { transform: cached(transform) }),
  });
  const resource = new FluentResource(text);
  bundle.addResource(resource);
  const format = (id: string, values: MessageValues = {}): string => {
    const pattern = bundle.getMessage(id)?.value;
    if (pattern === undefined || pattern === null) throw new RangeError(`no message ${id}`);
    const problems: Error[] = [];
    const made = bundle.formatPattern(pattern, variables(values), problems);
    const [problem] = problems;
    if (problem !== undefined)
      throw new RangeError(`message ${id}: ${problem.message}`, { cause: problem });
    return made;
  };
  let plainTexts: Readonly<Record<string, string>> | undefined;
  const plain = (): Readonly<Record<string, string>> => {
    plainTexts ??= Object.fromEntries(
      resource.body.flatMap(({ id, value }): [string, string][] =>
        value !== null && isPlain(value) ? [[id, format(id)]] : [],
      ),
    );
    return plainTexts;
  };
  return Object.assign(
    (id: string, values?: MessageValues) =>
      (values === undefined ? plain()[id] : undefined) ?? format(id, values),
    { language, has: (id: string) => bundle.hasMessage(id), plain },
  );
}

function isPlain(value: string | readonly (string | { readonly type: string })[]): boolean {
  return (
    typeof value === 'string' ||
    value.every((part) => typeof part === 'string' || part.type === 'str')
  );
}

function variables(values: MessageValues): Record<string, FluentVariable> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? new FluentNumber(value, { useGrouping: false }) : value,
    ]),
  );
}
