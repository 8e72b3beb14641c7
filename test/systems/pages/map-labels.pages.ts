/** Texts on the map in a real browser: they cover neither one another nor a station, at any size. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { DESKTOP, PHONE, picture, testInTab } from '../support/browser.js';

type Shown = Readonly<{ name: string } & Record<'left' | 'right' | 'top' | 'bottom', number>>;

for (const [viewport, language] of [
  [DESKTOP, 'en'],
  [PHONE, 'sr-Latn'],
] as const) {
  testInTab(`texts cover nothing at ${viewport.width} pixels`, { viewport }, async (t, page) => {
    // NO₂, temperatures of one decimal, and pressures of three and four digits.
    for (const component of [8, 83, 87]) {
      await page.goto(`/?component_id=${component}&language=${language}`);
      // Names of the largest town and of the highest station are always shown, over dots if necessary.
      const always = ['Madrid', await page.locator('.summary a').first().innerText()];
      await page.locator('.map-controls:not([hidden])').waitFor();
      await picture(page, `map-${viewport.width}-${component}`);
      await coverNothing(t, page, always);
      for (let steps = 0; steps < 2; steps += 1) {
        await page.click('[data-zoom="in"]');
        await coverNothing(t, page, always);
      }
      await page.click('[data-zoom="reset"]');
      for (const width of [320, viewport.width]) {
        await page.setViewportSize({ ...viewport, width });
        for (const name of always) {
          const label = page.locator(`.map-overlay text:text-is("${name}")`);
          t.ok(await label.isVisible(), `${name} at ${width} pixels`);
        }
      }
    }
  });
}

async function coverNothing(t: Test, page: Page, always: readonly string[]): Promise<void> {
  const names = await shown(page, ':is(.towns text, .marker .name)');
  const values = await shown(page, '.marker text:not(.name)');
  const circles = await shown(page, '.marker circle:not(.target)');
  t.ok(names.length >= 3 && values.length > 0, `${names.length} names`);
  const isAllowed = (a: Shown, { left, right }: Shown): boolean =>
    right - left < 16 && always.some((name) => a.name.includes(name));
  const covered = names.flatMap((a, index) =>
    [...names.slice(index + 1), ...circles, ...values]
      .filter((b) => overlap(a, b) && !isAllowed(a, b))
      .map((b) => `${a.name} covers ${b.name}`),
  );
  t.strictSame(covered, []);
  for (const [index, value] of values.entries()) {
    const own = circles.find(({ name }) => name === value.name);
    t.ok(own && value.left >= own.left && value.right <= own.right, `${value.name} in its circle`);
    const isFree = !values.slice(index + 1).some((other) => overlap(value, other));
    t.ok(isFree, value.name);
  }
}

/** Boxes of the map's visible parts. */
async function shown(page: Page, selector: string): Promise<readonly Shown[]> {
  return await page.evaluate<Shown[]>(`[...document.querySelectorAll('${selector}')]
    .filter((one) => one.getBoundingClientRect().width > 0)
    .map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return { name: one.closest('svg').textContent, left, right, top, bottom };
    })`);
}

function overlap(a: Shown, b: Shown): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
