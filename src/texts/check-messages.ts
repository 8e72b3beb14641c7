/** Checks a file of messages against ours in English: its syntax, its messages, their placeholders and their plurals. */
import {
  FluentParser,
  FluentSerializer,
  Identifier,
  Junk,
  lineOffset,
  Message,
  Term,
  Variant,
  Visitor,
  type FunctionReference,
  type MessageReference,
  type Pattern,
  type SelectExpression,
  type TermReference,
  type VariableReference,
} from '@fluent/syntax';
import type { Problem } from './files.js';

/** Messages that each operator may add: pages look for them by the codes in the data. */
const OPEN = /^(?:component|refresh)-/;

const PLURALS = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

/** @param reference our file in English: what is asked for, and the values that there are. */
export function checkMessages(
  text: string,
  reference: string,
  language: string,
): readonly Problem[] {
  const problems: Problem[] = [];
  const wanted = readFile(reference).messages;
  const { messages, terms, junk, twice } = readFile(text);
  problems.push(...junk, ...twice);
  for (const [id, { line, pattern }] of messages) {
    const model = wanted.get(id);
    const say = (problem: string): void => {
      problems.push({ line, problem: `${id}: ${problem}` });
    };
    if (model === undefined) {
      if (!OPEN.test(id)) say('nobody asks for this message');
      if (pattern === undefined) say('the message has no text');
      continue;
    }
    if (pattern === undefined) {
      say('the message has no text');
      continue;
    }
    comparePatterns(partsOf(pattern), partsOf(model.pattern), { messages, terms, language, say });
  }
  for (const id of wanted.keys()) {
    if (!messages.has(id)) problems.push({ line: 1, problem: `the message ${id} is missing` });
  }
  if (messages.has('locale'))
    problems.push(...checkLocale(text, messages.get('locale')?.line ?? 1));
  return problems.toSorted((a, b) => a.line - b.line);
}

interface ReadMessage {
  readonly line: number;
  readonly pattern: Pattern | undefined;
}

function readFile(text: string) {
  const messages = new Map<string, ReadMessage>();
  const terms = new Set<string>();
  const junk: Problem[] = [];
  const twice: Problem[] = [];
  for (const entry of new FluentParser().parse(text).body) {
    const line = lineOffset(text, entry.span?.start ?? 0) + 1;
    if (entry instanceof Junk) {
      const [annotation] = entry.annotations;
      junk.push({ line, problem: `not Fluent: ${annotation?.message ?? 'unreadable'}` });
    } else if (entry instanceof Term) terms.add(entry.id.name);
    else if (entry instanceof Message) {
      const { name } = entry.id;
      if (messages.has(name)) twice.push({ line, problem: `the message ${name} is here twice` });
      messages.set(name, { line, pattern: entry.value ?? undefined });
    }
  }
  return { messages, terms, junk, twice };
}

/** What a pattern refers to. */
class Parts extends Visitor {
  readonly variables = new Set<string>();
  readonly messages = new Set<string>();
  readonly terms = new Set<string>();
  readonly functions = new Set<string>();
  /** The forms of each choice by a plural, by its variable. */
  readonly plurals: { readonly variable: string; readonly keys: readonly string[] }[] = [];
  /** The forms of every other choice. */
  readonly choices: (readonly string[])[] = [];

  override visitVariableReference(node: VariableReference): void {
    this.variables.add(node.id.name);
  }

  override visitMessageReference(node: MessageReference): void {
    this.messages.add(node.id.name);
  }

  override visitTermReference(node: TermReference): void {
    this.terms.add(node.id.name);
  }

  override visitFunctionReference(node: FunctionReference): void {
    this.functions.add(node.id.name);
    this.genericVisit(node);
  }

  override visitSelectExpression(node: SelectExpression): void {
    const keys = node.variants.map(({ key }) => keyOf(key));
    const variable = variableOf(node);
    if (keys.some((key) => PLURALS.has(key))) this.plurals.push({ variable, keys });
    else this.choices.push(keys);
    this.genericVisit(node);
  }
}

function partsOf(pattern: Pattern | undefined): Parts {
  const parts = new Parts();
  if (pattern !== undefined) parts.visit(pattern);
  return parts;
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
  if (model.plurals.length > 0 && parts.plurals.length === 0) {
    say(`the plural of { $${model.plurals[0]?.variable ?? ''} } is missing`);
  }
  for (const { variable, keys } of parts.plurals) {
    const forms = pluralForms(language, variable);
    for (const form of forms) {
      if (!keys.includes(form)) say(`the plural form [${form}] of ${language} is missing`);
    }
    for (const key of keys) {
      if (!forms.some((form) => form === key) && !/^\d/.test(key)) {
        say(`[${key}] is no plural form of ${language}`);
      }
    }
  }
  for (const [index, keys] of model.choices.entries()) {
    for (const key of keys) {
      if (parts.choices[index]?.includes(key) !== true) say(`the choice [${key}] is missing`);
    }
  }
}

interface Surroundings {
  readonly messages: ReadonlyMap<string, ReadMessage>;
  readonly terms: ReadonlySet<string>;
  readonly language: string;
  readonly say: (problem: string) => void;
}

function checkLocale(text: string, line: number): readonly Problem[] {
  const locale = /^locale\s*=\s*(\S*)/m.exec(text)?.[1] ?? '';
  try {
    Intl.getCanonicalLocales(locale);
    return [];
  } catch {
    return [{ line, problem: `locale: ${JSON.stringify(locale)} is no language tag (BCP 47)` }];
  }
}

/** A text of ours with the plural forms of another language, each in the words of the general one: to be translated. */
export function withPluralsOf(language: string, text: string): string {
  const resource = new FluentParser().parse(text);
  new PluralForms(language).visit(resource);
  return new FluentSerializer().serialize(resource);
}

class PluralForms extends Visitor {
  readonly #language: string;

  constructor(language: string) {
    super();
    this.#language = language;
  }

  override visitSelectExpression(node: SelectExpression): void {
    const general = node.variants.find((variant) => variant.default);
    const isPlural = node.variants.some(({ key }) => PLURALS.has(keyOf(key)));
    if (!isPlural || general === undefined) return;
    node.variants = pluralForms(this.#language, variableOf(node)).map((form) => {
      const own = node.variants.find(({ key }) => keyOf(key) === form) ?? general;
      return new Variant(new Identifier(form), own.value, form === 'other');
    });
  }
}

/** Of numbers, and of places in an order where the variable is `$ordinal`: 1st, 2nd, 3rd. */
function pluralForms(language: string, variable: string): readonly string[] {
  const type = variable === 'ordinal' ? 'ordinal' : 'cardinal';
  return new Intl.PluralRules(language, { type }).resolvedOptions().pluralCategories;
}

/** The variable that is chosen by; empty for another expression. */
function variableOf({ selector }: SelectExpression): string {
  return selector.type === 'VariableReference' ? selector.id.name : '';
}

function keyOf(key: Variant['key']): string {
  return key instanceof Identifier ? key.name : key.value;
}
