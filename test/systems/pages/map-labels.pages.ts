/** Names of stations and towns on the map in a real browser: they cover neither each other nor a station, at any size. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { DESKTOP, PHONE, lazily, testInTab } from '../support/browser.js';
import { startServing } from '../../support/service/serve-documents.js';

/** A dense network, in a capital and its suburbs; every fifth station has no current value. */
async function document(): Promise<ReturnType<typeof snapshotDocument>> {
  const rows = parse<Record<string, string>>(await readFile('data/demo/stations.csv'), {
    columns: true,
  });
  const stations = rows.map(({ station_name, latitude, longitude }, index) => ({
    station_id: index + 1,
    station_name,
    station_code: `S${index + 1}`,
    organization_id: 1,
    network_id: 1,
    component_ids: [1],
    latitude: Number(latitude),
    longitude: Number(longitude),
  }));
  const at = { component_id: 1, date: '2026-09-09', time: '23:00' };
  return snapshotDocument({
    components: [{ component_id: 1, short_name: 'PM10', unit: 'ug.m-3' }],
    stations,
    measurements: stations
      .filter((_, index) => index % 5 > 0)
      .map(({ station_id }) => ({ ...at, station_id, value: (station_id * 37) % 90 })),
  });
}

/** The largest town and the highest station: their names are always there, and cover dots where there is no other room. */
const ALWAYS = ['Madrid', 'Orusco de Tajuña'];

interface Shown {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const service = lazily(async () => startServing(t, await document(), { wholeMap: true }));

for (const viewport of [DESKTOP, PHONE]) {
  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? 'with scripts' : 'without scripts';
    const name = `names cover nothing at ${viewport.width} pixels, ${scripts}`;
    testInTab(name, { service, viewport, javaScriptEnabled }, async (t, page) => {
      for (const language of ['en', 'sr-Cyrl']) {
        await page.goto(`/?language=${language}`);
        if (javaScriptEnabled) await page.locator('.map-controls:not([hidden])').waitFor();
        await coverNothing();
      }
      if (javaScriptEnabled) {
        for (let steps = 0; steps < 3; steps += 1) {
          await page.click('[data-zoom="in"]');
          await coverNothing();
        }
      }

      async function coverNothing(): Promise<void> {
        const names = await shown(page, ':is(.towns text, .marker .name)');
        const stations = await shown(page, '.marker .name');
        const circles = await shown(page, '.marker circle:not(.target)');
        t.ok(stations.length >= 2, `${stations.length} names of stations`);
        t.ok(names.length > stations.length, `${names.length} names`);
        t.ok(circles.length >= 20, `${circles.length} circles`);
        const covered = names.flatMap((a, index) =>
          [...names.slice(index + 1), ...circles]
            .filter(
              (b) => overlap(a, b) && !(isDot(b) && ALWAYS.some((name) => a.name.includes(name))),
            )
            .map((b) => `${a.name} covers ${b.name}`),
        );
        t.strictSame(covered, []);
      }
    });
  }
}

/** Boxes of what is visible of the map. */
async function shown(page: Page, selector: string): Promise<readonly Shown[]> {
  const boxes: unknown = await page.evaluate(`[...document.querySelectorAll('${selector}')]
    .filter((one) => one.getBoundingClientRect().width > 0)
    .map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const name = one.closest('svg').textContent;
      return { name, left, right, top, bottom };
    })`);
  return boxes as readonly Shown[];
}

function isDot({ left, right }: Shown): boolean {
  return right - left < 16;
}

function overlap(a: Shown, b: Shown): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
