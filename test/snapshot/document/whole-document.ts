/** A document with every member, and JSON of it that is written in any way. */
import type { JsonValue } from '../../../src/snapshot/domain/model.js';
import { namedAndTimedDocument, type PlainDocument } from '../../support/documents/documents.js';
import { variedDocument } from '../../support/documents/varied-document.js';

export function wholeDocument(schemaVersion = '1.3.0'): PlainDocument {
  const { components, measurements } = namedAndTimedDocument();
  return variedDocument({ schema_version: schemaVersion, components, measurements });
}

/**
 * JSON of a value with members in another order, white space anywhere, and characters escaped or not, as `choice(n)`
 * decides (0 to n - 1).
 */
export function writtenAnyHow(value: JsonValue, choice: (n: number) => number): string {
  const space = (): string => SPACES[choice(7)] ?? '';
  const around = (json: string): string => `${space()}${json}${space()}`;
  const write = (one: JsonValue): string => {
    if (typeof one === 'string') return writtenText(one, choice);
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    if (isList(one)) return `[${one.map((element) => around(write(element))).join(',')}]`;
    const members = Object.entries(one).map(
      ([name, member]) => `${around(writtenText(name, choice))}:${around(write(member))}`,
    );
    for (let left = members.length; left > 1; left -= 1) {
      members.push(...members.splice(choice(left), 1));
    }
    return `{${members.join(',')}}`;
  };
  return around(write(value));
}

const SPACES = ['', '', '', ' ', '\n', '\t', '\r\n  '];

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function writtenText(value: string, choice: (n: number) => number): string {
  if (choice(8) > 0) return JSON.stringify(value);
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
