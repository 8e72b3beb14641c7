/** Forms of the values of settings: each names the expected form, and parses the text of a value. */

import { isIP } from 'node:net';

/** One setting; its variable and flag are spelled after its name in the table. */
export interface Setting<T> {
  readonly fallback: T;
  /** The default in help; by default the fallback as text. */
  readonly shown?: string;
  readonly meaning: string;
  /** The expected form of a value: the end of the message about a wrong one. */
  readonly expected: string;
  /** Values that help and shell completion offer, if they are few. */
  readonly choices?: readonly string[];
  /** Kind of the value, for help and shell completion. */
  readonly names?: 'dir' | 'file';
  /** The exact value as `{ value }`, which may be undefined; undefined for unacceptable text. */
  parse(text: string): { readonly value: T } | undefined;
}

export function given(text: string, valid: boolean): { readonly value: string } | undefined {
  return valid ? { value: text } : undefined;
}

function bounded(what: string, form: RegExp) {
  return ({ least, most }: { readonly least: number; readonly most: number }) => ({
    expected: `${what} from ${least} to ${most}`,
    parse: (text: string) => {
      const value = form.test(text) ? Number(text) : NaN;
      return value >= least && value <= most ? { value } : undefined;
    },
  });
}

export const integer = bounded('an integer', /^\d{1,9}$/);

export const decimal = bounded('a number', /^\d{1,9}(?:\.\d{1,9})?$/);

export function oneOf<T extends string>(values: readonly T[]) {
  return {
    expected: `one of ${values.join(', ')}`,
    choices: values,
    parse: (text: string) => {
      const value = values.find((candidate) => candidate === text);
      return value === undefined ? undefined : { value };
    },
  };
}

export const ADDRESS = {
  expected: 'an IP address or a host name',
  parse: (text: string) => given(text, isIP(text) !== 0 || isHostName(text)),
};

/** A host name by RFC 1123 §2.1. */
function isHostName(text: string): boolean {
  const label = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/;
  // A last label of digits makes an IPv4 address, which `isIP` has refused.
  return (
    text.length <= 253 &&
    !/(?:^|\.)\d+$/.test(text) &&
    text.split('.').every((part) => label.test(part))
  );
}

export function parseBaseUrl(text: string): { readonly value: string | undefined } | undefined {
  if (text === '') return { value: undefined };
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) return undefined;
  const value = url.href.replace(/\/+$/, '');
  // A link that begins with two slashes leads to another host.
  return /\/\/.*\/\//.test(value) ? undefined : { value };
}

export const OPTIONAL_FILE = {
  fallback: undefined,
  expected: 'a path',
  names: 'file' as const,
  parse: (text: string): { readonly value: string | undefined } | undefined =>
    text.includes('\0') ? undefined : { value: text === '' ? undefined : text },
};

export const OFF_SWITCH = {
  fallback: false,
  shown: '0',
  expected: '1 or 0',
  parse: (text: string) => {
    const lower = text.toLowerCase();
    if (lower === '1' || lower === 'true') return { value: true };
    return lower === '0' || lower === 'false' ? { value: false } : undefined;
  },
};
