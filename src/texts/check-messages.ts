/** Checks a file of messages against the English one: syntax, messages, placeholders, plurals. */
import {
  FluentParser,
  FluentSerializer,
  FunctionReference,
  Identifier,
  Junk,
  lineOffset,
  Message,
  MessageReference,
  SelectExpression,
  Term,
  TermReference,
  VariableReference,
  Variant,
  Visitor,
  type BaseNode,
  type Pattern,
} from '@fluent/syntax';
import type { LineProblem } from './text-files.js';

/** Messages that operators may add, named by codes in the data. */
const OPEN = /^(?:component|refresh)-/;

const PLURALS = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

/** @param reference the service's English file. */
export function checkMessages(
  text: string,
  reference: string,
  language: string,
): readonly LineProblem[] {
  const wanted = readFile(reference).messages;
  const { messages, terms, problems } = readFile(text);
  for (const [id, { line, pattern }] of messages) {
    const model = wanted.get(id);
    const say = (problem: string): void => {
      problems.push({ line, problem: `${id}: ${problem}` });
    };
    if (model === undefined && !OPEN.test(id)) say('nobody asks for this message');
    if (pattern === undefined) say('the message has no text');
    else if (model !== undefined) {
      const parts = partsOf(pattern);
      comparePatterns(parts, partsOf(model.pattern), { messages, terms, language, say });
    }
  }
  for (const id of wanted.keys()) {
    if (!messages.has(id)) problems.push({ line: 1, problem: `the message ${id} is missing` });
  }
  const locale = messages.get('locale');
  if (locale !== undefined) problems.push(...checkLocale(text, locale.line));
  return problems.toSorted((a, b) => a.line - b.line);
}

function readFile(text: string) {
  const messages = new Map<
    string,
    { readonly line: number; readonly pattern: Pattern | undefined }
  >();
  const terms = new Set<string>();
  const problems: LineProblem[] = [];
  for (const entry of new FluentParser().parse(text).body) {
    const line = lineOffset(text, entry.span?.start ?? 0) + 1;
    if (entry instanceof Junk) {
      const [annotation] = entry.annotations;
      problems.push({ line, problem: `not Fluent: ${annotation?.message ?? 'unreadable'}` });
    } else if (entry instanceof Term) terms.add(entry.id.name);
    else if (entry instanceof Message) {
      const { name } = entry.id;
      if (messages.has(name)) problems.push({ line, problem: `the message ${name} is here twice` });
      messages.set(name, { line, pattern: entry.value ?? undefined });
    }
  }
  return { messages, terms, problems };
}

/** The node and its descendants, outermost first. */
export function nodesOf(node: BaseNode): readonly BaseNode[] {
  const nodes: BaseNode[] = [];
  class Collector extends Visitor {
    override genericVisit(one: BaseNode): void {
      nodes.push(one);
      super.genericVisit(one);
    }
  }
  new Collector().visit(node);
  return nodes;
}

type Parts = ReturnType<typeof partsOf>;

/** References of a pattern, and the forms of its choices. */
function partsOf(pattern: Pattern | undefined) {
  const nodes = pattern === undefined ? [] : nodesOf(pattern);
  const namesOf = (type: abstract new (...values: never) => { readonly id: Identifier }) =>
    new Set(nodes.flatMap((node) => (node instanceof type ? [node.id.name] : [])));
  const choices = nodes
    .filter((node) => node instanceof SelectExpression)
    .map((node) => ({ variable: variableOf(node), keys: node.variants.map(keyOf) }));
  return {
    variables: namesOf(VariableReference),
    messages: namesOf(MessageReference),
    terms: namesOf(TermReference),
    functions: namesOf(FunctionReference),
    plurals: choices.filter(({ keys }) => isPlural(keys)),
    choices: choices.filter(({ keys }) => !isPlural(keys)),
  };
}

interface Surroundings extends Omit<ReturnType<typeof readFile>, 'problems'> {
  readonly language: string;
  readonly say: (problem: string) => void;
}

function comparePatterns(
  parts: Parts,
  model: Parts,
  { messages, terms, language, say }: Surroundings,
): void {
  for (const name of parts.variables) {
    if (!model.variables.has(name)) say(`there is no placeholder { $${name} }`);
  }
  for (const name of model.variables) {
    if (!parts.variables.has(name)) say(`the placeholder { $${name} } is missing`);
  }
  for (const name of parts.messages) {
    if (!messages.has(name)) say(`there is no message { ${name} }`);
  }
  for (const name of parts.terms) if (!terms.has(name)) say(`there is no term { -${name} }`);
  for (const name of parts.functions) say(`there is no function ${name}()`);
  const [plural] = model.plurals;
  if (plural !== undefined && parts.plurals.length === 0)
    say(`the plural of { $${plural.variable} } is missing`);
  for (const { variable, keys } of parts.plurals) {
    const forms = pluralForms(language, variable);
    for (const form of forms) {
      if (!keys.includes(form)) say(`the plural form [${form}] of ${language} is missing`);
    }
    for (const key of keys) {
      if (!forms.includes(key) && !/^\d/.test(key))
        say(`[${key}] is no plural form of ${language}`);
    }
  }
  for (const [index, { keys }] of model.choices.entries()) {
    for (const key of keys) {
      if (parts.choices[index]?.keys.includes(key) !== true) say(`the choice [${key}] is missing`);
    }
  }
}

function checkLocale(text: string, line: number): readonly LineProblem[] {
  const locale = /^locale\s*=\s*(\S*)/m.exec(text)?.[1] ?? '';
  try {
    Intl.getCanonicalLocales(locale);
    return [];
  } catch {
    return [{ line, problem: `locale: ${JSON.stringify(locale)} is not a language tag (BCP 47)` }];
  }
}

/** The text of a message file with the plural forms of `language`, for its translators. */
export function withPluralsOf(language: string, text: string): string {
  const resource = new FluentParser().parse(text);
  for (const node of nodesOf(resource)) {
    if (!(node instanceof SelectExpression) || !isPlural(node.variants.map(keyOf))) continue;
    const { variants } = node;
    const general = variants.find((variant) => variant.default);
    node.variants = pluralForms(language, variableOf(node)).flatMap((form) => {
      const own = variants.find((variant) => keyOf(variant) === form) ?? general;
      return own ? [new Variant(new Identifier(form), own.value, form === 'other')] : [];
    });
  }
  return new FluentSerializer().serialize(resource);
}

/** Plural forms of a language for numbers; for ordinals when the variable is `$ordinal`. */
function pluralForms(language: string, variable: string): readonly string[] {
  const type = variable === 'ordinal' ? 'ordinal' : 'cardinal';
  return new Intl.PluralRules(language, { type }).resolvedOptions().pluralCategories;
}

function isPlural(keys: readonly string[]): boolean {
  return keys.some((key) => PLURALS.has(key));
}

/** The variable of a choice; empty for other expressions. */
function variableOf({ selector }: SelectExpression): string {
  return selector.type === 'VariableReference' ? selector.id.name : '';
}

function keyOf({ key }: Variant): string {
  return key instanceof Identifier ? key.name : key.value;
}
