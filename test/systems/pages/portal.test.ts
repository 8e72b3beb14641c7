/** The portal in a real browser: with and without scripts, by keyboard, in every language and theme. */
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { THEMES } from '../../../src/views/pages/page.js';
import {
  accessibilityProblems,
  openPage,
  startBrowser,
  type OpenedPage,
} from '../support/browser.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { NAMES, portalDocument } from '../../support/documents/portal-document.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

void t.test('the portal', async (t) => {
  const service = await startServing(t, portalDocument(), { env: { DEFAULT_LANGUAGE: 'en' } });
  const browser = await startBrowser(t);

  /** Of every page that was opened. */
  const opened: OpenedPage[] = [];
  let loaded = 0;
  const visit = async (
    t: Test,
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<Page> => {
    const one = await openPage(browser, service, { viewport: DESKTOP, ...options });
    opened.push(one);
    await one.page.goto(path);
    loaded += 1;
    t.teardown(() => one.page.context().close());
    return one.page;
  };

  await t.test('without scripts all is there: search, order, choice, panel, files', async (t) => {
    const page = await visit(t, '/', { javaScriptEnabled: false });
    t.equal(await page.locator('.marker').count(), NAMES.length);
    t.equal(await page.locator('.stations tbody tr').count(), NAMES.length);
    t.equal(
      await page.title(),
      'Air quality at the stations · Agencija za zaštitu životne sredine',
    );

    await page.fill('#search', 'cacak');
    await page.click('.search button');
    await page.click('thead .value a');
    t.same(await page.locator('.stations tbody th a').allInnerTexts(), ['Чачак, центар']);
    t.match(page.url(), 'sort=value');
    await page.fill('#search', 'nowhere');
    await page.click('.search button');
    t.equal(await page.locator('.stations tbody tr').count(), 0);
    await page.click('.nothing a');

    await page.click('.components a:has-text("NO₂")');
    t.match(await page.innerText('h1'), 'NO₂ at the stations');
    await page.click('.stations tbody a:has-text("=1+1")');
    t.equal(await page.innerText('#station-name'), '=1+1');
    t.match(await page.innerText('#chart-heading'), 'NO₂');
    await page.click('.windows a:has-text("7 days")');
    t.match(await page.innerText('.values summary'), '6 of 168 hours without a value');
    await page.click('.values summary');
    t.equal(await page.locator('.values tbody tr').count(), 162);
    const links = await page.locator('.downloads a').all();
    const files = await Promise.all(links.map((link) => link.getAttribute('href')));
    for (const path of [...files, await page.locator('.api a').getAttribute('href')]) {
      t.equal((await get(service, path ?? '')).status, 200, path ?? '');
    }
    t.equal(files.length, 3);
    await page.click('.close');
    t.equal(await page.locator('#station-name').count(), 0);
    t.match(await page.innerText('h1'), 'NO₂ at the stations', 'keeps the choice');
  });

  await t.test('a station opens as a dialog, and the address line follows', async (t) => {
    const page = await visit(t, '/?language=en');
    const isOpen = async () => (await page.locator('#station:modal').count()) === 1;
    await page.click('.marker[data-station="6"]');
    await page.waitForSelector('#station:modal #station-name');
    t.match(page.url(), 'station_id=6');
    await page.click('.windows a:has-text("7 days")');
    await page.waitForURL(/window=7d/);
    await page.waitForSelector('.windows a[aria-current]:has-text("7 days")');
    await page.goBack();
    await page.waitForSelector('.windows a[aria-current]:has-text("24 hours")');
    t.ok(await isOpen());
    await page.goBack();
    await page.waitForSelector('#station:not([open])', { state: 'attached' });
    t.notMatch(page.url(), 'station_id');
    await page.goForward();
    await page.waitForSelector('#station:modal #station-name');
    // The browser tells of an address that a script has set a moment later.
    await page.waitForURL(/station_id=6/);
    const link = page.url();
    await page.reload();
    await page.waitForSelector('#station[open] #station-name');
    t.notOk(await isOpen(), 'what the server has written is a part of the page');
    t.equal(page.url(), link);
    await page.click('.close');
    await page.waitForSelector('#station:not([open])', { state: 'attached' });
    t.notMatch(page.url(), 'station_id');
  });

  await t.test('Back and Forward, and closing, whatever is on its way', async (t) => {
    const page = await visit(t, '/?language=en');
    const closed = () => page.waitForSelector('#station:not([open])', { state: 'attached' });
    const openSix = async () => {
      await page.click('.marker[data-station="6"]');
      await page.waitForSelector('#station:modal #station-name');
    };
    await openSix();
    // The event of the dialog that Back closes comes when the address is that of Forward.
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('popstate', () => {
        const { pathname, search } = location;
        const url = pathname + search + '&station_id=6';
        history.pushState(undefined, '', url);
        dispatchEvent(new PopStateEvent('popstate'));
        document.querySelector('#station').addEventListener('close', () => setTimeout(resolve));
      }, { once: true });
      history.back();
    })`);
    await page.waitForSelector('#station:modal #station-name');
    t.match(page.url(), 'station_id=6');
    await page.keyboard.press('Escape');
    await closed();
    await page.waitForURL((url) => !url.searchParams.has('station_id'));

    const held: Route[] = [];
    const fragments = '**/portal/station-modal?*';
    for (const leave of ['Back', 'Escape']) {
      await openSix();
      await page.route(fragments, (route) => {
        held.push(route);
      });
      const asked = page.waitForRequest(/window=7d/);
      await page.click('.windows a:has-text("7 days")');
      await asked;
      if (leave === 'Back') {
        // To the station, which is asked for once more, and from there to none.
        await page.goBack();
        await page.goBack();
      } else {
        await page.keyboard.press('Escape');
      }
      await closed();
      await page.waitForURL((url) => !url.searchParams.has('station_id'));
      // What was given up cannot be answered any more.
      await Promise.all(held.splice(0).map((route) => route.continue().catch(() => undefined)));
      await page.unroute(fragments);
      await page.evaluate(`fetch('meta').then((response) => response.text())`);
      t.equal(await page.locator('#station[open]').count(), 0, `stays closed after ${leave}`);
      t.notMatch(page.url(), 'station_id');
    }
  });

  await t.test('the keyboard alone is enough', async (t) => {
    const page = await visit(t, '/?language=en');
    const focused = () => page.evaluate<string>(`document.activeElement?.textContent.trim() ?? ''`);
    const tabTo = async (fits: (text: string) => boolean, key = 'Tab'): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press(key);
        if (fits(await focused())) return;
      }
      throw new Error('never reached');
    };
    await page.keyboard.press('Tab');
    t.equal(await focused(), 'Skip to content');
    await tabTo((text) => text === 'Dark');
    await page.keyboard.press('Enter');
    await page.waitForURL(/theme=dark/);
    t.equal(await page.getAttribute('html', 'data-theme'), 'dark');

    await tabTo((text) => text === 'NO₂');
    await page.keyboard.press('Enter');
    await page.waitForURL(/component_id=2/);
    await tabTo((text) => text === '');
    await page.locator('#search:focus').waitFor();
    await page.keyboard.type('liman');
    const found = page.locator('.stations tbody tr:visible th a');
    t.same(await found.allInnerTexts(), ['Novi Sad Liman']);
    t.match(await page.innerText('.found'), '1 of 12');
    await tabTo((text) => text.startsWith('Skip the map'));
    await page.keyboard.press('Enter');
    await tabTo((text) => text === 'Novi Sad Liman');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#station:modal #station-name');
    t.equal(await focused(), 'Novi Sad Liman', 'the heading of the panel');

    await tabTo(() => false).catch(() => undefined);
    t.equal(await page.locator('#station:focus-within').count(), 1, 'stays in the dialog');
    await page.locator('.plot').focus();
    await page.keyboard.press('Home');
    const first = await page.innerText('.readout');
    await page.keyboard.press('End');
    const last = await page.innerText('.readout');
    t.match(last, /\d µg\/m³$/);
    t.not(first, last);
    await page.keyboard.press('ArrowLeft');
    t.not(await page.innerText('.readout'), last);

    const download = page.waitForEvent('download');
    await tabTo((text) => text === 'XLSX');
    await page.keyboard.press('Enter');
    t.match((await download).suggestedFilename(), /^bura_\d+_\d+_2_\w+\.xlsx$/);

    await page.keyboard.press('Escape');
    await page.waitForSelector('#station:not([open])', { state: 'attached' });
    t.equal(await focused(), 'Novi Sad Liman', 'focus is where it was');
    t.match(page.url(), /theme=dark.*component_id=2/);
  });

  await t.test('the map is zoomed by button, and more stations show their values', async (t) => {
    const page = await visit(t, '/', { viewport: PHONE });
    const width = async () => (await page.locator('.map-inner').boundingBox())?.width ?? 0;
    const before = await width();
    await page.click('[data-zoom="in"]');
    t.ok((await width()) > before * 1.5);
    await page.click('[data-zoom="reset"]');
    t.equal(await width(), before);
  });

  await t.test('axe finds nothing, in any language, theme and size', async (t) => {
    // One tab for each size: a new one for each page would take longer than what is looked for.
    for (const viewport of [PHONE, DESKTOP]) {
      const page = await visit(t, '/', { viewport });
      for (const language of LANGUAGES) {
        for (const theme of THEMES) {
          const path = `/?language=${language}&theme=${theme}&station_id=2&window=7d&compare=6`;
          await page.goto(path);
          loaded += 1;
          await page.waitForSelector('#station[open] .plot .b .line');
          await page.click('.values summary');
          await page.click('.share summary');
          // Half of the dialogs: each theme is seen in one of the sizes.
          if ((viewport === PHONE) === (theme === 'dark')) {
            // The rows of the month and of the values are alike: all of them are looked at in `chart-image.test.ts`.
            const alike = [
              '.calendar tbody tr:nth-child(n + 3)',
              '.values tbody tr:nth-child(n + 3)',
            ];
            t.same(await accessibilityProblems(page, alike), [], `${path} ${viewport.width}`);
          }
          await page.locator('.plot').hover();
          t.equal(await page.locator('svg [hidden]').count(), 0, 'no hidden part of a drawing');
          await page.click('.close');
          t.same(await accessibilityProblems(page), [], `${path} ${viewport.width}`);
          t.equal(await page.locator('.marker.late, small.late, .legend .late').count(), 3);
          const fits = 'document.documentElement.scrollWidth <= innerWidth';
          t.ok(await page.evaluate<boolean>(fits), 'nothing sticks out');
        }
      }
    }
  });

  await t.test('who is late says so in the list, on the map and in the panel', async (t) => {
    // Station 1 lacks the newest hour, and the last one all of them.
    const page = await visit(t, '/', { javaScriptEnabled: false });
    t.match(await page.innerText('.newest-hour'), /^Newest hour: .*10 of 11 stations$/);
    const late = '.stations tbody tr:has(small.late) th a';
    t.same(await page.locator(late).allInnerTexts(), [NAMES[0]]);
    t.equal(await page.locator('.marker.late').count(), 1);
    t.match(await page.locator('.marker.late title').textContent(), /^=1\+1: .*, late$/);
    t.equal(await page.locator('.legend .late').count(), 1);
    await page.click(late);
    t.same(await page.locator('.cards .late').allInnerTexts(), ['late', 'late', 'late']);
    // Also where the last value is too old to be shown.
    await page.goto('/?component_id=3');
    t.match(
      await page.locator('.marker.none.late title').textContent(),
      /^<script>alert\(1\)<\/script>: no current value, \d.*, late$/,
    );
  });

  await t.test('no page complained, and none called another host', async (t) => {
    t.ok(loaded > 15);
    for (const { page, troubles } of opened) t.same(troubles, [], page.url());
  });
});

void t.test('data of a past time alarm, unless they are a demonstration', async (t) => {
  const browser = await startBrowser(t);
  for (const demonstration of [true, false]) {
    const service = await startServing(
      t,
      snapshotDocument({
        generated_at: '2025-01-10T08:00:00Z',
        demonstration,
        measurements: [
          { station_id: 1, component_id: 8, date: '2025-01-10', time: '07:00', value: 21.5 },
        ],
      }),
      { env: { DEFAULT_LANGUAGE: 'en' } },
    );
    const meta = JSON.parse((await get(service, '/meta')).body.toString()) as object;
    t.equal('demonstration' in meta, demonstration);
    const { page, troubles } = await openPage(browser, service, { viewport: PHONE });
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const path = `/?language=${language}&theme=${theme}`;
        await page.goto(path);
        t.equal(await page.locator('.warning').count(), demonstration ? 0 : 1);
        t.equal(await page.locator('.demonstration').count(), demonstration ? 1 : 0);
        t.match(await page.innerText('.freshness strong'), '2025', 'of another year');
        t.same(await accessibilityProblems(page), [], path);
      }
    }
    await page.goto('/legal/dataset');
    const shown = await page.innerText('main');
    t.equal(shown.includes('a demonstration with measurements of a past time'), demonstration);
    t.same(troubles, []);
    await page.context().close();
  }
});
