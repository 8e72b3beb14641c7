/**
 * Takes the pictures of the README: `npm run screenshots`.
 *
 * Serves the demonstration data and stores the portal, with the panel of one station, as `docs/images/portal-light.webp` and
 * `portal-dark.webp`. It needs Chromium.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { CHROMIUM, requireProgram } from './system.mjs';

const FOLDER = 'docs/images';
const VIEWPORT = { width: 1200, height: 880 };
const QUALITY = 82;

const directory = await mkdtemp(join(tmpdir(), 'bura-screenshots-'));
const service = spawn(process.execPath, ['dist/cli.js', 'serve', '--demo'], {
  env: {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    PORT: '0',
    SNAPSHOT_STORE: `file:${join(directory, 'store')}`,
    LOCAL_DIR: join(directory, 'local'),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({
  executablePath: requireProgram(CHROMIUM),
  args: ['--no-sandbox', '--disable-gpu'],
});

try {
  const url = await addressOf(service);
  await mkdir(FOLDER, { recursive: true });
  for (const theme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: theme });
    await page.goto(`${url}/?language=en&component_id=8`, { waitUntil: 'networkidle' });
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: QUALITY,
    });
    await writeFile(join(FOLDER, `portal-${theme}.webp`), Buffer.from(data, 'base64'));
  }
} finally {
  await browser.close();
  service.kill();
  await new Promise((resolve) => service.once('close', resolve));
  await rm(directory, { recursive: true, force: true });
}

/** Address of the service, when it serves the demonstration data. */
async function addressOf({ stdout }) {
  let url;
  for await (const line of createInterface({ input: stdout })) {
    url = /^bura listening on (\S+)$/.exec(line)?.[1] ?? url;
    if (line.includes('"msg":"activated"')) return url;
  }
  throw new Error('the service has ended');
}
