/** SVG to PNG: the fonts have what charts write, in both weights, and sizes are kept. */
import t from 'tap';
import { pngOf } from '../../../src/workers/formats/png.js';
import { inkIn, readPng, type Pixels } from '../../support/readers/png.js';

const BOX = { x: 0, y: 0, width: 60, height: 40 };

async function draw(content: string): Promise<Pixels> {
  const fonts = 'system-ui,Roboto,DejaVu Sans,sans-serif';
  const style = `text{font-family:${fonts};font-size:24px}.b{font-weight:600}`;
  const paper = `<style>${style}</style><rect width="100%" height="100%" fill="#fff"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">${paper}${content}</svg>`;
  return readPng(Buffer.from(await pngOf(svg)));
}

await t.test('every sign of a chart is drawn, and as itself', async (t) => {
  const unknown = inkIn(await draw('<text x="10" y="30">\u{F0000}</text>'), BOX);
  for (const sign of 'čćžšđñÁŽЂЉЊЏжћ₀₁₂₅³µ°–·…αΩ') {
    for (const weight of ['', ' class="b"']) {
      const ink = inkIn(await draw(`<text x="10" y="30"${weight}>${sign}</text>`), BOX);
      t.ok(ink > 5 && ink !== unknown, `${sign}${weight}`);
    }
  }
});

await t.test('a weight of 600 is bold, and a family that is not there is replaced', async (t) => {
  const plain = inkIn(await draw('<text x="5" y="30">NO₂</text>'), BOX);
  const bold = inkIn(await draw('<text x="5" y="30" class="b">NO₂</text>'), BOX);
  t.ok(bold > plain * 1.2, `${bold} and ${plain}`);
  const other = await draw('<text x="5" y="30" style="font-family:Nowhere">NO₂</text>');
  t.equal(inkIn(other, BOX), plain);
});

await t.test('pictures that are drawn at once do not disturb each other', async (t) => {
  const marks = await Promise.all(
    ['A', 'B', 'A', 'B'].map(async (sign) => inkIn(await draw(`<text y="30">${sign}</text>`), BOX)),
  );
  t.equal(marks[0], marks[2]);
  t.equal(marks[1], marks[3]);
  t.not(marks[0], marks[1]);
});
