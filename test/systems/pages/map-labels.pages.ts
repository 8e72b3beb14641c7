/** Names of stations and towns on the map in a real browser: they cover neither each other nor a station, at any size. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { DESKTOP, PHONE, lazily, picture, testInTab } from '../support/browser.js';
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

/** The largest town and the highest station, whose names are always shown, over dots if necessary. */
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

/** Values of one decimal, some below zero, and of four digits. */
const SERIES = [
  { component_id: 1, short_name: 'PM10', unit: 'ug.m-3', valueAt: (id: number) => 8.1 + (id % 31) },
  { component_id: 2, short_name: 'TEMP', unit: '°C', valueAt: (id: number) => (id % 29) - 17.6 },
  { component_id: 3, short_name: 'PRES', unit: 'hPa', valueAt: (id: number) => 986.4 + (id % 40) },
];

/** Stations in a city, in its suburbs and in a wide country around them. */
function networkOf(count: number): ReturnType<typeof snapshotDocument> {
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  return snapshotDocument({
    components: SERIES.map(({ component_id, short_name, unit }) => ({
      component_id,
      short_name,
      unit,
    })),
    stations: ids.map((id) => {
      // The golden angle: no two lie in one direction.
      const [angle, away] = [id * 2.4, id % 3 === 0 ? 0.12 : 1.9];
      return {
        station_id: id,
        station_name: `${['Novi Beograd', 'Ниш', 'Kamenički Vis', 'Zrenjanin'][id % 4] ?? ''} ${id}`,
        station_code: `S${id}`,
        organization_id: 1,
        network_id: 1,
        latitude: 44.4 + away * Math.sqrt(id / count) * Math.sin(angle) * 0.7,
        longitude: 20.5 + away * Math.sqrt(id / count) * Math.cos(angle),
      };
    }),
    measurements: ids.flatMap((id) =>
      SERIES.map(({ component_id, valueAt }) => ({
        station_id: id,
        component_id,
        date: '2026-09-09',
        time: '23:00',
        value: valueAt(id),
      })),
    ),
  });
}

for (const count of [1, 63, 300]) {
  const network = lazily(() => startServing(t, networkOf(count), { wholeMap: true }));
  for (const viewport of [DESKTOP, PHONE]) {
    const name = `texts of ${count} stations cover one another nowhere at ${viewport.width} pixels`;
    testInTab(name, { service: network, viewport }, async (t, page) => {
      for (const { component_id, short_name } of SERIES) {
        await page.goto(`/?language=en&component_id=${component_id}`);
        await page.locator('.map-controls:not([hidden])').waitFor();
        await picture(page, `map-${count}-${viewport.width}-${short_name}`);
        await readable(t, page, short_name);
        await page.click('[data-zoom="in"]');
        await readable(t, page, `${short_name}, zoomed`);
      }
    });
  }
}

async function readable(t: Test, page: Page, of: string): Promise<void> {
  const names = await shown(page, ':is(.towns text, .marker .name)');
  const values = await shown(page, '.marker text:not(.name)');
  const circles = await shown(page, '.marker circle:not(.target)');
  t.ok(values.length > 0, `${values.length} values`);
  const texts = [...names, ...values];
  const covered = texts.flatMap((a, index) =>
    texts.slice(index + 1).flatMap((b) => (overlap(a, b) ? [`${a.name} covers ${b.name}`] : [])),
  );
  t.strictSame(covered, [], of);
  const outside = values.filter((value) => {
    const own = circles.find(({ name }) => name === value.name);
    return own === undefined || value.left < own.left || value.right > own.right;
  });
  t.strictSame(outside, [], `${of}: in their circles`);
}

/** Boxes of the map's visible parts. */
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
