/**
 * Draws an SVG as PNG, the same on every machine: the only file that loads resvg (WebAssembly), with the service's
 * fonts.
 */
import { readFileSync } from 'node:fs';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** `build-assets.mjs` puts them there. */
const FONTS = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map(
  (name) => new URL(`../../fonts/${name}`, import.meta.url),
);

/** Fallback font. */
const FAMILY = 'DejaVu Sans';

/** Loaded by the first picture of a thread. */
let loaded: Promise<readonly Uint8Array[]> | undefined;

/**
 * An SVG as PNG of the SVG's own size; the bytes are a copy outside of WebAssembly's memory.
 *
 * 1200 x 630 pixels take a thread 0.08 s, 2000 x 2000 (the limit for clients) 0.35 s. A thread keeps 10 MB after the
 * first picture and 40 MB after the largest: memory of WebAssembly never shrinks.
 *
 * @param svg well-formed, with a width and a height.
 */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const fonts = await (loaded ??= load());
  const drawing = new Resvg(svg, {
    font: { fontBuffers: [...fonts], defaultFontFamily: FAMILY, sansSerifFamily: FAMILY },
  });
  try {
    const image = drawing.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}

/** After a shortage of open files the next picture tries again. */
async function load(): Promise<readonly Uint8Array[]> {
  try {
    const fonts = FONTS.map((file) => readFileSync(file));
    await initWasm(readFileSync(new URL(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
    return fonts;
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}
