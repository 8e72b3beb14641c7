/** Pixels of a PNG, by an independent reader. */
import { decode } from 'fast-png';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Mean of red, green and blue from 0 to 255; transparent counts as black. */
  readonly lightness: (x: number, y: number) => number;
}

/** @throws {Error} for what is no PNG, and for a palette or grey levels. */
export function readPng(png: Uint8Array): Pixels {
  const { width, height, channels, depth, data } = decode(png, { checkCrc: true });
  if (depth !== 8 || channels < 3) throw new Error('another kind of PNG');
  const lightness = (x: number, y: number): number => {
    const at = (y * width + x) * channels;
    return ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3;
  };
  return { width, height, lightness };
}

/** Number of pixels in a box that differ from the one in its upper left corner. */
export function inkIn(
  { lightness }: Pixels,
  { x, y, width, height }: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>,
): number {
  const ground = lightness(x, y);
  let ink = 0;
  for (let row = y; row < y + height; row += 1) {
    for (let column = x; column < x + width; column += 1) {
      if (Math.abs(lightness(column, row) - ground) > 32) ink += 1;
    }
  }
  return ink;
}

const SQUARE = 8;

/** Mean difference of lightness of two pictures of one size, by squares, so that smoothed edges do not count. */
export function differenceOf(one: Pixels, other: Pixels): number {
  let sum = 0;
  let squares = 0;
  for (let y = 0; y + SQUARE <= one.height; y += SQUARE) {
    for (let x = 0; x + SQUARE <= one.width; x += SQUARE) {
      sum += Math.abs(meanOf(one, x, y) - meanOf(other, x, y));
      squares += 1;
    }
  }
  return sum / squares;
}

function meanOf({ lightness }: Pixels, x: number, y: number): number {
  let sum = 0;
  for (let at = 0; at < SQUARE ** 2; at += 1) {
    sum += lightness(x + (at % SQUARE), y + Math.floor(at / SQUARE));
  }
  return sum / SQUARE ** 2;
}
