/** Follows all addresses in a service's pages, pictures, style sheets, feeds and header fields. */
import type { IncomingHttpHeaders } from 'node:http';
import { text as textIn } from 'node:stream/consumers';
import { unescapeHtml } from '../readers/html.js';
import { beginAnswer } from './requests.js';

const TEXTS = /^(?:text\/(?:html|css|plain)|image\/svg|application\/(?:\w+\+)?(?:json|xml))/;

/** The path, and the path with each parameter's name; an address is followed only if one of these is new. */
function aspectsOf({ pathname, searchParams }: URL): readonly string[] {
  return [pathname, ...[...searchParams.keys()].map((name) => `${pathname}?${name}`)];
}

/**
 * Requests the paths below the base URL, and follows all addresses in the answers.
 * @param baseUrl without a slash at its end.
 * @returns statuses by address, and addresses of the host outside of the base URL, with their sources.
 */
export async function crawl(baseUrl: string, paths: readonly string[]) {
  const { origin } = new URL(baseUrl);
  const outside = new Set<string>();
  const statuses = new Map<string, number>();
  const seen = new Set<string>();
  const waiting: URL[] = [];
  const meet = (address: string, from: URL, { isFollowed = true } = {}): void => {
    const url = new URL(address, from);
    if (url.origin !== origin) return;
    if (url.href !== baseUrl && !url.href.startsWith(`${baseUrl}/`)) {
      outside.add(`${address} in ${from.href}`);
    }
    const aspects = aspectsOf(url);
    if (!isFollowed || aspects.every((aspect) => seen.has(aspect))) return;
    for (const aspect of aspects) seen.add(aspect);
    url.hash = '';
    waiting.push(url);
  };
  const visit = async (url: URL): Promise<void> => {
    const at = { port: Number(url.port) };
    const headers = { Accept: 'text/html' };
    const answer = await beginAnswer(at, url.pathname + url.search, { headers });
    statuses.set(url.href.slice(baseUrl.length), answer.statusCode ?? 0);
    for (const address of addressesOfFields(answer.headers)) meet(address, url);
    const type = answer.headers['content-type'] ?? '';
    if (!TEXTS.test(type)) {
      answer.destroy();
      return;
    }
    const text = await textIn(answer);
    for (const address of addressesOf(type, text)) meet(address, url);
    for (const path of rulesIn(type, text)) meet(path, url, { isFollowed: false });
    // Addresses outside of markup, such as in texts to copy and in descriptions for programs.
    const isFollowed = /xml/.test(type) && !type.startsWith('image/');
    for (const [address] of unescapeHtml(text).matchAll(absolute(origin))) {
      meet(address, url, { isFollowed });
    }
  };
  for (const path of paths) meet(baseUrl + path, new URL(baseUrl));
  for (;;) {
    // More at once would be refused by a service that is busy with its start.
    const next = waiting.splice(0, 8);
    if (next.length === 0) return { statuses, outside: [...outside] };
    await Promise.all(next.map(visit));
  }
}

/** Matches absolute addresses (RFC 3986 §2), without the characters that end them in prose, Markdown or code. */
function absolute(origin: string): RegExp {
  return new RegExp(`${origin.replaceAll('.', '\\.')}(?:[\\w/?#%&=+~@:-]|[.,;](?=\\w))*`, 'g');
}

function addressesOfFields(fields: IncomingHttpHeaders): readonly string[] {
  const links = [...String(fields['link']).matchAll(/<([^>]*)>/g)].map(([, one = '']) => one);
  return [fields.location ?? [], fields['content-location'] ?? [], links].flat();
}

function addressesOf(type: string, text: string): readonly string[] {
  if (type.startsWith('text/css')) return referencesIn(text);
  if (!type.startsWith('text/html') && !type.startsWith('image/svg')) return [];
  const tags = [...text.matchAll(/<[a-z](?:[^>"]|"[^"]*")*>/g)].map(([tag]) => tag);
  const attributes = tags.flatMap((tag) => [...tag.matchAll(/\s([a-z:-]+)="([^"]*)"/g)]);
  return [
    ...attributes.flatMap(([, name = '', value = '']) => addressesIn(name, unescapeHtml(value))),
    ...[...text.matchAll(/<code>GET ([^<\s]*)/g)].map(([, path = '']) => unescapeHtml(path)),
    ...referencesIn(text),
  ];
}

/** Prefixes of paths in robots.txt (RFC 9309). */
function rulesIn(type: string, text: string): readonly string[] {
  if (!type.startsWith('text/plain')) return [];
  return [...text.matchAll(/^(?:Allow|Disallow): ([^*\n]*)/gm)].map(([, path = '']) => path);
}

/** Addresses in an attribute; every value that begins with a slash is one. */
function addressesIn(name: string, value: string): readonly string[] {
  if (name === 'srcset') return value.split(/,\s+/).map((one) => one.replace(/\s.*/s, ''));
  if (/^(?:xlink:)?href$|^(?:src|action|formaction|poster)$/.test(name)) return [value];
  return value.startsWith('/') ? [value] : [];
}

function referencesIn(text: string): readonly string[] {
  return [...text.matchAll(/\burl\(["']?([^"')]*)|@import\s+["']([^"']*)/g)].flatMap(
    ([, url, imported]) => url ?? imported ?? [],
  );
}
