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
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/**
 * Each theme and size once: texts, colours and places do not depend on one another. Serbian in Latin has the words of
 * Serbian in Cyrillic, letter by letter.
 */
export const VIEWS = [
  { language: 'en', theme: 'light', viewport: DESKTOP },
  { language: 'sr-Cyrl', theme: 'dark', viewport: PHONE },
] as const;

let browser: Promise<Browser> | undefined;

/** A demonstration with the whole map and with Spanish, for tests that only read. */
const demonstration = lazily(() => {
  const env = { DEFAULT_LANGUAGE: 'en', TEXTS_DIR: resolve('data/demo/texts') };
  return startDemonstration(t, { env, wholeMap: true });
});

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
  readonly service?: () => Promise<Service>;
  readonly path?: string;
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
      const unexpected = troubles.filter((trouble) => !isExpected(trouble));
      t.strictSame(unexpected, []);
    } finally {
      await closePage(page);
    }
  });
}

/** Opens a tab, in the one Chromium of the process; notes errors of the console and requests to other hosts. */
export async function openPage(
  service: { readonly url: string },
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly troubles: readonly string[] }> {
  browser ??= startBrowser();
  const shown = { baseURL: service.url, viewport: DESKTOP, ...options };
  const page = await (await (await browser).newContext(shown)).newPage();
  if (COVERAGE_FOLDER !== undefined) {
    const profiler = await page.context().newCDPSession(page);
    await profiler.send('Profiler.enable');
    await profiler.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    profilers.set(page, profiler);
  }
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

const COVERAGE_FOLDER = process.env['NODE_V8_COVERAGE'];

const KEEP_SCRIPTS =
  '--disable-features=RenderDocument,BackForwardCache,ProactivelySwapBrowsingInstance';

const profilers = new WeakMap<Page, CDPSession>();

/** Closes a tab; writes what its scripts ran in V8's format, in which a script has the path of its bundle in `build/`. */
export async function closePage(page: Page): Promise<void> {
  const profiler = profilers.get(page);
  if (COVERAGE_FOLDER !== undefined && profiler !== undefined) {
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
  await page.context().close();
}

async function startBrowser(): Promise<Browser> {
  const args = COVERAGE_FOLDER === undefined ? FLAGS : [...FLAGS, KEEP_SCRIPTS];
  const started = await chromium.launch({ executablePath: requireProgram(CHROMIUM), args });
  t.teardown(() => started.close());
  return started;
}

/** The findings of axe-core outside of `except`, a line each, once no element fades or moves: colours would differ. */
export async function accessibilityProblems(
  page: Page,
  except: readonly string[] = [],
): Promise<readonly string[]> {
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
