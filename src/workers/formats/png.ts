/** Renders an SVG as PNG, alike on every machine, with the service's fonts; the only file that loads resvg. */
import { readFileSync } from 'node:fs';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Font files, copied by `build-assets.mjs`. */
const FONTS = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map(
  (name) => new URL(`../../fonts/${name}`, import.meta.url),
);

/** Default font of texts, and of `sans-serif`. */
const FAMILY = 'DejaVu Sans';

/** The fonts; the first picture of a thread loads them and the library. */
let loaded: Promise<readonly Uint8Array[]> | undefined;

/**
 * Renders an SVG as PNG in the SVG's own size; the bytes are a copy outside of WebAssembly's memory.
 *
 * A picture of 1200 x 630 pixels takes a thread 0.08 s, one of 2000 x 2000 (the limit for clients) 0.35 s. A thread
 * keeps 10 MB after its first picture, 40 MB after the largest one: memory of WebAssembly never shrinks.
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

/** Loads fonts and library; after a failure, such as a shortage of open files, the next picture tries again. */
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
