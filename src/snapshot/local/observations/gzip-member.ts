/** Joins separately compressed blocks to gzip members (RFC 1951, RFC 1952), without compressing again. */
import assert from 'node:assert/strict';
import { constants, crc32, deflateRawSync, type ZlibOptions } from 'node:zlib';

/** Raw DEFLATE that ends with a full flush, which makes it independent of other blocks. */
export interface DeflatedText {
  readonly bytes: Uint8Array;
  readonly checksum: Checksum;
}

/** Checksum and length of uncompressed text, as in a member's trailer. */
export interface Checksum {
  readonly crc32: number;
  readonly textBytes: number;
}

export const EMPTY_CHECKSUM: Checksum = { crc32: 0, textBytes: 0 };

/** Header of a member: deflate, no flags, no time (equal data give equal bytes), unknown system. */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

export function deflateText(text: Uint8Array, options: ZlibOptions): DeflatedText {
  const bytes = deflateRawSync(text, { ...options, finishFlush: constants.Z_FULL_FLUSH });
  return { bytes, checksum: checksumOf(text) };
}

export function checksumOf(text: Uint8Array): Checksum {
  return { crc32: crc32(text), textBytes: text.byteLength };
}

/** The text as one stored (uncompressed) block that begins and ends at a byte boundary. */
export function storedBlock(text: Uint8Array): Uint8Array {
  assert(text.byteLength < 2 ** 16, 'a stored block holds 65,535 bytes at the most');
  const block = Buffer.alloc(STORED_HEAD_BYTES + text.byteLength);
  block.writeUInt16LE(text.byteLength, 1);
  block.writeUInt16LE(0xffff ^ text.byteLength, 3);
  block.set(text, STORED_HEAD_BYTES);
  return block;
}

/** Head of a stored block: three bits padded to a byte, the length, and its complement (RFC 1951 §3.2.4). */
export const STORED_HEAD_BYTES = 5;

/** The end of a member: an empty final block, the CRC-32, and the length modulo 2^32. */
export function gzipTrailer({ crc32: crc, textBytes }: Checksum): Uint8Array {
  const trailer = Buffer.alloc(10);
  trailer.writeUInt16LE(0x0003, 0);
  trailer.writeUInt32LE(crc, 2);
  trailer.writeUInt32LE(textBytes % 2 ** 32, 6);
  return trailer;
}

export function joinChecksums(first: Checksum, second: Checksum): Checksum {
  const shifted = multiply(powerOfX(second.textBytes), first.crc32);
  return {
    crc32: (shifted ^ second.crc32) >>> 0,
    textBytes: first.textBytes + second.textBytes,
  };
}

/** The CRC-32 polynomial, lowest power first (RFC 1952 §8). */
const POLYNOMIAL = 0xedb88320;

/** `x^(8 * 2^n)` modulo the polynomial: 2^n appended zero bytes multiply a CRC by this power. */
const POWERS: readonly number[] = (() => {
  const powers = [0x00800000];
  for (let n = 1; n < 53; n += 1) {
    const last = powers[n - 1] ?? 0;
    powers.push(multiply(last, last));
  }
  return powers;
})();

function powerOfX(bytes: number): number {
  // The polynomial 1 in this order of bits.
  let product = 0x80000000;
  for (let n = 0, rest = bytes; rest > 0; n += 1, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) product = multiply(POWERS[n] ?? 0, product);
  }
  return product;
}

/** Product of two polynomials modulo the CRC polynomial. */
function multiply(first: number, second: number): number {
  let product = 0;
  let shifted = second;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if ((first & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}
