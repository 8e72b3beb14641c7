/** Finds the calls in a `bura.sql` that read files, and escapes names of files that DuckDB would take for patterns. */
import type { Problems } from '../../snapshot/document/problems.js';
import { quoted } from './database.js';
import { SCRIPT, TEXT } from './folder.js';

/** A call such as `read_csv(...)`, or the name of a text file after FROM or JOIN. */
export interface ReadCall {
  readonly line: number;
  /** SQL of the first argument, such as `'*.csv'`. */
  readonly files: string;
  /** SQL of the named arguments, by name in lower case. */
  readonly options: ReadonlyMap<string, string>;
  /** Offset in the script where options can be inserted; undefined for a file name after FROM or JOIN. */
  readonly end: number | undefined;
  readonly isJson: boolean;
}

export interface Script {
  readonly text: string;
  readonly calls: readonly ReadCall[];
  /** Whether the script converts clock times to instants. */
  readonly usesZones: boolean;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|e'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$(\w*)\$[\s\S]*?\$\1\$|[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|\S/giu;

/**
 * @param options.names names of the files in the folder: their brackets are escaped, as they are not patterns.
 * @param options.problems collects time formats that read abbreviations of zones.
 */
export function parseScript(
  script: string,
  { names, problems }: { readonly names: ReadonlySet<string>; readonly problems: Problems },
): Script {
  const text = withEscapedNames(script, names);
  const tokens = tokensOf(text);
  const lineOf = ({ start }: Token): number => text.slice(0, start).split('\n').length;
  const calls: ReadCall[] = [];
  for (const [at, token] of tokens.entries()) {
    const line = lineOf(token);
    if (isString(token) && token.text.includes('%Z')) {
      const message = '%Z reads abbreviations such as BST, which several zones have: use utc()';
      problems.add(`${SCRIPT}, line ${line}`, message);
    }
    const isText = isString(token) && TEXT.test(unquoted(token.text));
    if (isText && /^(?:from|join)$/i.test(tokens[at - 1]?.text ?? '')) {
      const files = quoted(unquoted(token.text));
      calls.push({ line, files, options: new Map(), end: undefined, isJson: false });
    }
    const [, format] = /^read_(csv|json|ndjson)(?:_auto)?$/i.exec(token.text) ?? [];
    if (format === undefined || tokens[at + 1]?.text !== '(') continue;
    const parsed = argumentsFrom(text, tokens, at + 1);
    if (parsed) calls.push({ line, ...parsed, isJson: format.toLowerCase() !== 'csv' });
  }
  const usesZones = tokens.some((token) => /^(?:utc|timezone|zone)$/i.test(token.text));
  return { text, calls, usesZones };
}

/** A pattern that matches only the file of this name. */
export function escapedPattern(name: string): string {
  return name.replaceAll(/[*?[]/g, '[$&]');
}

function withEscapedNames(text: string, names: ReadonlySet<string>): string {
  const tokens = tokensOf(text);
  let escaped = text;
  for (const [at, token] of [...tokens.entries()].toReversed()) {
    const name = unquoted(token.text);
    if (!isString(token) || !names.has(name) || escapedPattern(name) === name) continue;
    let before = at - 1;
    // In a list of names, the call or FROM stands before the first name.
    while (/^(?:['",[]|$)/.test(tokens[before]?.text ?? 'FROM')) before -= 1;
    const [reader, open] = [tokens[before - 1]?.text ?? '', tokens[before]?.text ?? ''];
    const isRead = open === '(' && /^(?:read_\w+|sniff_csv|glob|parquet_scan)$/i.test(reader);
    if (!isRead && !/^(?:from|join)$/i.test(open)) continue;
    const pattern = quoted(escapedPattern(name), token.text.startsWith('"') ? '"' : "'");
    escaped = `${escaped.slice(0, token.start)}${pattern}${escaped.slice(token.end)}`;
  }
  return escaped;
}

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)]
    .map(({ 0: token, index }) => ({ text: token, start: index, end: index + token.length }))
    .filter((token) => !/^(?:--|\/\*)/.test(token.text));
}

function isString({ text }: Token): boolean {
  return /^e?['"]/i.test(text);
}

/** The arguments of the call whose parenthesis is the token `open`; undefined for an incomplete call. */
function argumentsFrom(
  text: string,
  tokens: readonly Token[],
  open: number,
): Omit<ReadCall, 'line' | 'isJson'> | undefined {
  const options = new Map<string, string>();
  let files: string | undefined;
  let [depth, first] = [0, open + 1];
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (/^[([{]$/.test(token.text)) depth += 1;
    if (/^[)\]}]$/.test(token.text)) depth -= 1;
    if (depth > 1 || (depth === 1 && token.text !== ',')) continue;
    const [name, ...others] = tokens.slice(first, at);
    const mark = others.findIndex(({ text: one }) => !/^[:=>]$/.test(one));
    const value = text.slice((mark > 0 ? others[mark] : name)?.start ?? 0, tokens[at - 1]?.end);
    if (mark > 0) options.set(unquoted(name?.text ?? '').toLowerCase(), value);
    else if (name !== undefined) files ??= value;
    if (depth === 0) return files === undefined ? undefined : { files, options, end: token.start };
    first = at + 1;
  }
  return undefined;
}

function unquoted(text: string): string {
  const mark = text.at(0) ?? '';
  return /['"]/.test(mark) ? text.slice(1, -1).replaceAll(mark + mark, mark) : text;
}
