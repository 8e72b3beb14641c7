/** A real Chromium for tests of pages: records errors, requests to other hosts, and what axe-core finds. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
} from 'playwright-core';
import t, { type Test } from 'tap';
import { startDemonstration } from '../../support/service/serve-documents.js';
import { eventually, type Service } from '../../support/service/service.js';
import { CHROMIUM, requireProgram } from '../../../tools/system.mjs';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** Each language, theme and size at least once: their texts, colours and places do not depend on one another. */
export const VIEWS = [
  { language: 'en', theme: 'light', viewport: PHONE },
  { language: 'sr-Latn', theme: 'dark', viewport: DESKTOP },
  { language: 'sr-Cyrl', theme: 'dark', viewport: PHONE },
] as const;

let browser: Promise<Browser> | undefined;

/** A demonstration with the whole map and with Spanish, for tests that only read. */
const demonstration = lazily(() =>
  startDemonstration(t, {
    env: { DEFAULT_LANGUAGE: 'en', TEXTS_DIR: resolve('data/demo/texts') },
    wholeMap: true,
  }),
);

/** Starts a service when a test needs it: if a file awaited the start, tap would end the tests of files before it. */
export function lazily(start: () => Promise<Service>): () => Promise<Service> {
  let started: Promise<Service> | undefined;
  return () => (started ??= start());
}

/** Waits until an expression is true in the page: the page's policy forbids the `eval` of Playwright's own wait. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  // A page that is being loaded cannot evaluate it.
  const isTrue = () => page.evaluate<unknown>(expression).catch(() => false);
  await eventually(expression, async () => (await isTrue()) === true);
}

export interface TabOptions extends BrowserContextOptions {
  /** Service of these pages; default: the demonstration. */
  readonly service?: () => Promise<Service>;
  /** The first page; default: none yet. */
  readonly path?: string;
  /** Whether an error in the console is expected; default: none is. */
  readonly isExpected?: (trouble: string) => boolean;
}

/** A test in a tab that shares only the browser with others; fails on console errors and requests to other hosts. */
export function testInTab(
  name: string,
  options: TabOptions,
  test: (t: Test, page: Page, service: Service) => Promise<void>,
): void {
  const { path, isExpected = () => false, service: startOnce = demonstration, ...rest } = options;
  void t.test(name, async (t) => {
    const service = await startOnce();
    const { page, troubles } = await openPage(service, rest);
    try {
      if (path !== undefined) await page.goto(path);
      await test(t, page, service);
      t.strictSame(
        troubles.filter((trouble) => !isExpected(trouble)),
        [],
      );
    } finally {
      await closePage(page);
    }
  });
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught errors, and requests to other hosts, so far. */
  readonly troubles: readonly string[];
}

/** Opens a tab, in the one Chromium of the process; paths are relative to the service. */
export async function openPage(
  service: { readonly url: string },
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  browser ??= startBrowser();
  const context = await (
    await browser
  ).newContext({ baseURL: service.url, viewport: DESKTOP, ...options });
  const page = await context.newPage();
  if (COVERAGE_FOLDER !== undefined) await startCoverage(page);
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${service.url}/`) && !/^(?:data|blob):/.test(url)) troubles.push(url);
  });
  return { page, troubles };
}

/** Closes a tab and its context; with `NODE_V8_COVERAGE`, writes what its scripts ran. */
export async function closePage(page: Page): Promise<void> {
  await writeCoverage(page);
  await page.context().close();
}

/** Folder of Node.js for V8's coverage; scripts of pages are written to it too. */
const COVERAGE_FOLDER = process.env['NODE_V8_COVERAGE'];

/** Chromium counts on when a tab goes to another page. */
const KEEP_SCRIPTS =
  '--disable-features=RenderDocument,BackForwardCache,ProactivelySwapBrowsingInstance';

const profilers = new WeakMap<Page, CDPSession>();

async function startCoverage(page: Page): Promise<void> {
  const profiler = await page.context().newCDPSession(page);
  await profiler.send('Profiler.enable');
  await profiler.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  profilers.set(page, profiler);
}

/** Writes a file of V8's format, in which a script has the path of its bundle in `build/`. */
async function writeCoverage(page: Page): Promise<void> {
  const profiler = profilers.get(page);
  if (COVERAGE_FOLDER === undefined || profiler === undefined) return;
  const { result: scripts } = await profiler.send('Profiler.takePreciseCoverage');
  const result = scripts
    .filter(({ url }) => url.includes('/assets/'))
    .map((script) => {
      const path = resolve('build/src/assets', basename(new URL(script.url).pathname));
      return { ...script, url: pathToFileURL(path).href };
    });
  const name = `coverage-${process.pid}-browser-${randomUUID()}.json`;
  await writeFile(join(COVERAGE_FOLDER, name), JSON.stringify({ result }));
}

async function startBrowser(): Promise<Browser> {
  const args = COVERAGE_FOLDER === undefined ? FLAGS : [...FLAGS, KEEP_SCRIPTS];
  const started = await chromium.launch({ executablePath: requireProgram(CHROMIUM), args });
  t.teardown(() => started.close());
  return started;
}

/**
 * Findings of axe-core on the page, outside of `except`: one line each, with rule, element and reason. Waits until no
 * element fades or moves, because colours in transition have other contrasts.
 */
export async function accessibilityProblems(
  page: Page,
  except: readonly string[] = [],
): Promise<readonly string[]> {
  // axe-core has half a megabyte: it is loaded once a page.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  // Animations without an end (a spinner) cannot be waited for; a cancelled one has ended too.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished))`);
  // The root element of a picture is not `html`.
  const context = JSON.stringify({ include: [[':root']], exclude: except.map((part) => [part]) });
  const found: unknown = await page.evaluate(`axe.run(${context}, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => [id, target.join(' '), failureSummary].join(' | '))))`);
  if (!Array.isArray(found)) throw new TypeError('axe-core gives no list');
  return found.map(String);
}

/** Writes a picture of the page where BURA_PICTURES names a folder, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['BURA_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
