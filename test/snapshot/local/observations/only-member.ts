/** Strict reader of gzip (RFC 1952). */
import { crc32, inflateRawSync } from 'node:zlib';

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

/** The text of exactly one gzip member. @throws {Error} for a second member, further bytes, or a wrong trailer. */
export function onlyMember(bytes: Buffer): Buffer {
  if (bytes.readUInt32BE(0) !== 0x1f_8b_08_00) throw new Error('not a plain gzip header');
  const deflated = bytes.subarray(HEADER_BYTES, -TRAILER_BYTES);
  const { buffer: text, engine } = inflated(deflated);
  if (engine.bytesWritten !== deflated.length) {
    throw new Error(`the last block ends ${deflated.length - engine.bytesWritten} bytes early`);
  }
  const trailer = bytes.subarray(-TRAILER_BYTES);
  if (trailer.readUInt32LE(0) !== crc32(text)) throw new Error('another CRC-32');
  if (trailer.readUInt32LE(4) !== text.length % 2 ** 32) throw new Error('another length');
  return text;
}

/** The text, and the engine, whose `bytesWritten` counts compressed bytes; Node's types lack the result with `info`. */
function inflated(bytes: Buffer): {
  readonly buffer: Buffer;
  readonly engine: { bytesWritten: number };
} {
  const result: unknown = inflateRawSync(bytes, { info: true });
  if (!hasEngine(result)) throw new TypeError('zlib tells nothing of its engine');
  return result;
}

function hasEngine(
  value: unknown,
): value is { readonly buffer: Buffer; readonly engine: { bytesWritten: number } } {
  return typeof value === 'object' && value !== null && 'buffer' in value && 'engine' in value;
}
