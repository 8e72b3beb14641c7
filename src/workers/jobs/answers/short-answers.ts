/** Finished answers as values, cut to what an example needs. */
import type { JsonValue } from '../../../snapshot/domain/model.js';
import type { Plan } from '../../messages.js';

/** Records that a list of an example has at the most. */
const LIST_MAX = 2;

/** Lines of a file, its head included. */
const LINES_MAX = 3;

/** Of an answer so small that its plan holds it whole. */
export function textOf({ chunks }: Plan): string {
  const [only] = chunks;
  return only?.kind === 'bytes' ? Buffer.from(only.bytes).toString('utf8') : '';
}

/** JSON of our own making. */
export function parse(json: string): JsonValue {
  return JSON.parse(json) as JsonValue;
}

/** A member of an object; undefined where there is none. */
export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !isList(value) ? value[name] : undefined;
}

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The same with every list of objects cut. */
export function shortened(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    const kept = value.some((item) => typeof item === 'object') ? value.slice(0, LIST_MAX) : value;
    return kept.map(shortened);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}

/** The head and the first rows of a file. */
export function firstLines(text: string): string {
  const lines = text.match(/[^\n]*\n/g) ?? [];
  return lines.slice(0, LINES_MAX).join('');
}
