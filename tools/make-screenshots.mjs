/**
 * Takes the pictures of the README: `npm run screenshots`.
 *
 * Stores the portal of the demonstration in both themes, as `docs/images/portal-light.webp` and `portal-dark.webp`. It
 * needs Chromium.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { withDemonstration } from './demonstration.mjs';
import { CHROMIUM, requireProgram } from './system.mjs';

const FOLDER = 'docs/images';
const VIEWPORT = { width: 1200, height: 880 };
const QUALITY = 82;

await withDemonstration(async (url) => {
  const browser = await chromium.launch({
    executablePath: requireProgram(CHROMIUM),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await mkdir(FOLDER, { recursive: true });
    for (const theme of ['light', 'dark']) await takePicture(browser, url, theme);
  } finally {
    await browser.close();
  }
});

async function takePicture(browser, url, theme) {
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: theme });
  await page.goto(`${url}/?language=en&component_id=8`, { waitUntil: 'networkidle' });
  const session = await page.context().newCDPSession(page);
  const options = { format: 'webp', quality: QUALITY };
  const { data } = await session.send('Page.captureScreenshot', options);
  await writeFile(join(FOLDER, `portal-${theme}.webp`), Buffer.from(data, 'base64'));
}
