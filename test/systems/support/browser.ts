/** A real Chromium for tests of pages: records errors, requests to other hosts, and what axe-core finds. */
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Test } from 'tap';
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

/** Starts a Chromium that ends with the test. */
export async function startBrowser(t: Test): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: requireProgram(CHROMIUM), args: FLAGS });
  t.teardown(() => browser.close());
  return browser;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught errors, and requests to other hosts, so far. */
  readonly troubles: readonly string[];
}

/** Opens a tab that shares nothing with earlier ones but the browser; paths are relative to the service. */
export async function openPage(
  browser: Browser,
  service: { readonly url: string },
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ baseURL: service.url, ...options });
  const page = await context.newPage();
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

/**
 * What axe-core finds on the page, outside of `except`: one line each, with rule, element and reason. Waits until nothing
 * fades or moves any more: colours half-way have other contrasts.
 */
export async function accessibilityProblems(
  page: Page,
  except: readonly string[] = [],
): Promise<readonly string[]> {
  // Half a megabyte of it: once a page.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  // Animations without an end (a spinner) are none that could be waited for; one that is cancelled has ended too.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished))`);
  // The root of an image is not `html`.
  const context = JSON.stringify({ include: [[':root']], exclude: except.map((part) => [part]) });
  const found: unknown = await page.evaluate(`axe.run(${context}, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => [id, target.join(' '), failureSummary].join(' | '))))`);
  if (!Array.isArray(found)) throw new TypeError('axe-core gives no list');
  return found.map(String);
}
