/** What a client's text costs the front thread: patterns that never go back over it, and loops that go over it once. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { analyse } from 'scslre';
import t from 'tap';
import ts from 'typescript';
import { createFrontState } from '../../../src/http/answers/front-state.js';
import { pageSettings } from '../../../src/http/answers/page-settings.js';
import { NOT_FOUND_PAGES } from '../../../src/http/routes/pages/not-found.js';
import { ENDPOINTS } from '../../../src/http/routes/routes.js';
import { Router } from '../../../src/http/routing/router.js';
import { preferredLanguage, prefersHtml } from '../../../src/http/semantics/accept.js';
import { isNotModified, prefersGzip } from '../../../src/http/semantics/representation.js';
import { outcomeOf } from '../../../src/http/semantics/range.js';
import type { PlainRequest } from '../../../src/http/semantics/request.js';
import { baseUrlOf } from '../../../src/http/semantics/request-base-url.js';
import { clientOf } from '../../../src/http/wire/clients.js';
import { WorkerPool } from '../../../src/workers/pool.js';
import { FIELDS } from '../../support/readers/request-fields.js';

/** Folders whose code runs on the front thread, and one file that shapes a request's host. */
const FRONT = ['src/http', 'src/views/base-url.ts'];

void t.test('every pattern of the front takes steps in proportion to its text', async (t) => {
  let patterns = 0;
  for (const file of await sourcesOf(FRONT)) {
    for (const { source, flags, line } of await patternsOf(file)) {
      patterns += 1;
      // As if what follows a match never fitted: the worst that a search can meet.
      const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: true });
      t.same(
        reports.map(({ type }) => type),
        [],
        `${file}:${line} /${source}/${flags}`,
      );
    }
  }
  t.ok(patterns > 15, `${patterns} patterns`);
  const { reports } = analyse({ source: String.raw`^\d+\.?\d*$`, flags: '' });
  t.equal(reports.length, 1, 'one that goes back is found');
});

void t.test('no reader of a client’s text goes over it more often when it is longer', async (t) => {
  for (const [name, read] of readers()) {
    for (const unit of UNITS) {
      const [once, twice] = [3000, 6000].map((length) =>
        charactersRead(() => {
          read(`${unit.repeat(length / unit.length)}x`);
        }),
      ) as [number, number];
      const label = `${name}: ${JSON.stringify(unit)}: ${once}, ${twice}`;
      if (twice > 2.1 * once + 100 || twice > PASSES_MAX * 6000) t.fail(label);
    }
  }
  t.pass();
});

/** What texts are made of: the characters that some reader stops at, and those that it does not. */
const UNITS = ['1', 'a', '/', '%41', '%', ',', '"', ' ', '.', '-', ';q=0', '&a=1', '&', '=', 'š'];

/** How often a text may be gone over on its way through one reader, with all of its copies. */
const PASSES_MAX = 16;

/** Everything on the front that a client's text gets into, each as a function of that text. */
function readers(): readonly (readonly [string, (text: string) => unknown])[] {
  const validators = { entityTag: '"tag"', lastModified: 0 };
  const file = { validators, sizeBytes: 1000 };
  return [
    ...requestReaders(),
    ['Accept', prefersHtml],
    ['Accept-Encoding', prefersGzip],
    ['Accept-Language', (text) => preferredLanguage(text, { languages: ['en'], fallback: 'en' })],
    ['If-None-Match', (ifNoneMatch) => isNotModified({ ...FIELDS, ifNoneMatch }, validators)],
    [
      'If-Modified-Since',
      (ifModifiedSince) => isNotModified({ ...FIELDS, ifModifiedSince }, validators),
    ],
    ['If-Match', (ifMatch) => outcomeOf({ ...FIELDS, ifMatch }, file)],
    ['Range', (text) => outcomeOf({ ...FIELDS, range: `bytes=${text}` }, file)],
    ['If-Range', (ifRange) => outcomeOf({ ...FIELDS, ifRange, range: 'bytes=0-' }, file)],
    ['Host', (host) => baseUrlOf({ ...FIELDS, host }, { trustProxy: true })],
    ['X-Forwarded-Host', (text) => baseUrlOf({ ...FIELDS, forwardedHost: text }, TRUSTED)],
    ['X-Forwarded-Proto', (text) => baseUrlOf({ ...FIELDS, forwardedProto: text }, TRUSTED)],
    [
      'X-Forwarded-For',
      (forwardedFor) => clientOf({ socketAddress: '::1', forwardedFor, trustProxy: true }),
    ],
  ];
}

const TRUSTED = { trustProxy: true };

/** The request target: as a path, as a query, and as the value of each parameter that any endpoint declares. */
function requestReaders(): readonly (readonly [string, (text: string) => unknown])[] {
  const pool = new WorkerPool({ threads: 1 });
  const pages = pageSettings({ defaultLanguage: 'en', timeZone: 'UTC' });
  const state = createFrontState({
    pool,
    baseUrl: TRUSTED,
    pages,
    keyPrefix: 'demo',
    onHistoryDamaged: () => undefined,
  });
  const onFailure = (error: unknown): void => {
    t.fail(String(error));
  };
  const router = new Router({
    endpoints: ENDPOINTS,
    state,
    notFoundPages: NOT_FOUND_PAGES,
    onFailure,
  });
  const request = { method: 'GET', path: '/', query: '', fields: FIELDS, client: '192.0.2.1' };
  return [
    ['path', (text) => router.handleOther({ ...request, path: `/${text}` })],
    ['method', (method) => router.handleOther({ ...request, method })],
    ...ENDPOINTS.flatMap((endpoint) => {
      const { path, entries } = endpoint;
      const respond = (asked: Partial<PlainRequest>): unknown =>
        router.handle(endpoint, { ...request, path, ...asked });
      return [
        [`${path} query`, (query: string) => respond({ query })] as const,
        ...entries.map(([name, parameter]) => {
          const read = (text: string): unknown =>
            parameter.in === 'query'
              ? respond({ query: `${name}=${text}` })
              : respond({ path: path.replace(`{${name}}`, text) });
          return [`${path} ${name}`, read] as const;
        }),
      ];
    }),
  ];
}

/**
 * Counts the characters that built-in functions go over while `run` lasts.
 *
 * Each goes over its text once; a search goes as far as its match, since no pattern goes back, and from where it is told to
 * begin: `URLSearchParams` of Node 24 looks for one separator after the other.
 */
function charactersRead(run: () => void): number {
  let characters = 0;
  const restore: (() => void)[] = [];
  const count = (owner: object, name: string, lengthOf: LengthOf): void => {
    const original = Reflect.get(owner, name) as (...given: unknown[]) => unknown;
    Reflect.set(owner, name, function (this: unknown, ...given: unknown[]): unknown {
      const result: unknown = Reflect.apply(original, this, given);
      characters += lengthOf(this, given, result);
      return result;
    });
    restore.push(() => Reflect.set(owner, name, original));
  };
  for (const name of STRING_METHODS) count(String.prototype, name, (text) => lengthOfText(text));
  count(String.prototype, 'indexOf', (text, [, from = 0], found) =>
    Number(found) < 0 ? lengthOfText(text) - Number(from) : Number(found) - Number(from) + 1,
  );
  count(RegExp.prototype, 'exec', (_pattern, [text], match) => lengthSearched(text, match));
  for (const [owner, name] of FUNCTIONS) count(owner, name, (_this, [text]) => lengthOfText(text));
  try {
    run();
  } finally {
    for (const one of restore) one();
  }
  return characters;
}

type LengthOf = (self: unknown, given: readonly unknown[], result: unknown) => number;

function lengthOfText(text: unknown): number {
  return typeof text === 'string' ? text.length : 0;
}

/** From the match before, which is where a repeated search goes on; the whole rest where there is no match. */
function lengthSearched(text: unknown, match: unknown): number {
  if (match === null) return lengthOfText(text);
  return lengthOfText((match as RegExpExecArray)[0]);
}

const STRING_METHODS = [
  'split',
  'trim',
  'replace',
  'replaceAll',
  'match',
  'matchAll',
  'search',
  'lastIndexOf',
  'includes',
  'toLowerCase',
  'toUpperCase',
  'normalize',
];

const FUNCTIONS = [
  [globalThis, 'decodeURIComponent'],
  [Array, 'from'],
  [Date, 'parse'],
] as const;

async function sourcesOf(places: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of places) {
    if (place.endsWith('.ts')) found.push(place);
    else {
      for (const file of await readdir(place, { recursive: true })) {
        if (file.endsWith('.ts')) found.push(join(place, file));
      }
    }
  }
  return found;
}

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

/** The literals of a file; one that is put together while the service runs could not be analysed. */
async function patternsOf(file: string): Promise<readonly Pattern[]> {
  const tree = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = tree.getLineAndCharacterOfPosition(node.end).line + 1;
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), line });
    }
    // A type makes no pattern.
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node) && node.text === 'RegExp') throw new Error(`RegExp in ${file}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
