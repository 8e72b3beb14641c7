/** Pixels of a PNG (W3C PNG, Third Edition) as resvg and Chromium write it: 8-bit RGB or RGBA, not interlaced. */
import { inflateSync } from 'node:zlib';

const SIGNATURE = '89504e470d0a1a0a';

/** Bytes of a pixel by the colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Mean of red, green and blue from 0 to 255; transparent counts as black. */
  readonly lightness: (x: number, y: number) => number;
}

/** @throws {Error} for any other kind of file. */
export function readPng(png: Buffer): Pixels {
  if (png.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('no PNG');
  const data: Buffer[] = [];
  for (let at = 8; at < png.byteLength; at += png.readUInt32BE(at) + 12) {
    const content = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(content);
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = CHANNELS[png.readUInt8(25)];
  if (png.readUInt8(24) !== 8 || channels === undefined || png.readUInt8(28) !== 0) {
    throw new Error('another kind of PNG');
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), { width, height, channels });
  return {
    width,
    height,
    lightness(x, y) {
      const at = (y * width + x) * channels;
      return ((bytes[at] ?? 0) + (bytes[at + 1] ?? 0) + (bytes[at + 2] ?? 0)) / 3;
    },
  };
}

/** Reverses the filters: each line begins with the number of its filter (section 9). */
function unfiltered(
  lines: Buffer,
  { width, height, channels }: Readonly<Record<'width' | 'height' | 'channels', number>>,
): Uint8Array {
  const stride = width * channels;
  const bytes = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (bytes[at - channels] ?? 0);
      const above = bytes[at - stride] ?? 0;
      const corner = x < channels ? 0 : (bytes[at - stride - channels] ?? 0);
      const predicted = [0, left, above, (left + above) >> 1, paeth(left, above, corner)];
      bytes[at] = (lines[y * (stride + 1) + 1 + x] ?? 0) + (predicted[filter ?? 0] ?? 0);
    }
  }
  return bytes;
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const distances = [left, above, corner].map((value) => Math.abs(estimate - value));
  const least = Math.min(...distances);
  return [left, above, corner][distances.indexOf(least)] ?? 0;
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

/** Mean difference of lightness of two pictures of one size, by squares, so that smoothed edges do not count. */
export function differenceOf(one: Pixels, other: Pixels, square = 8): number {
  const squares: number[] = [];
  for (let y = 0; y + square <= one.height; y += square) {
    for (let x = 0; x + square <= one.width; x += square) {
      squares.push(Math.abs(meanOf(one, { x, y, square }) - meanOf(other, { x, y, square })));
    }
  }
  return squares.reduce((sum, value) => sum + value, 0) / squares.length;
}

function meanOf(
  { lightness }: Pixels,
  { x, y, square }: Readonly<Record<'x' | 'y' | 'square', number>>,
): number {
  let sum = 0;
  for (let at = 0; at < square * square; at += 1) {
    sum += lightness(x + (at % square), y + Math.floor(at / square));
  }
  return sum / square ** 2;
}
