/** Members joined from runs: what other programs make of them. */
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import {
  checksumOf,
  deflateText,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  gzipTrailer,
  joinChecksums,
  storedBlock,
  type DeflatedText,
} from '../../../../src/snapshot/local/observations/gzip-member.js';

const text = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 3000 }))
    .map(([part, times]) => Uint8Array.from(Buffer.alloc(part.length * times, part))),
);

/** Level 0 means a stored block. */
function blockOf(one: Uint8Array, level: number): DeflatedText {
  if (level > 0) return deflateText(one, { level });
  return { bytes: storedBlock(one), checksum: checksumOf(one) };
}

/** Whether the header is plain (RFC 1952), and the deflated text ends right before a trailer. */
function isOneMember(member: Buffer): boolean {
  const deflated = member.subarray(10, -8);
  // The types of Node lack the engine, whose `bytesWritten` counts compressed bytes.
  const inflated: unknown = inflateRawSync(deflated, { info: true });
  const { engine } = inflated as { readonly engine: { readonly bytesWritten: number } };
  return member.readUInt32BE(0) === 0x1f_8b_08_00 && engine.bytesWritten === deflated.length;
}

void t.test('joins any runs into one member that holds their texts', async () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.array(fc.nat(9)), (texts, levels) => {
      const runs = texts.map((one, at) => blockOf(one, levels[at] ?? 0));
      const checksum = runs.reduce((sum, run) => joinChecksums(sum, run.checksum), EMPTY_CHECKSUM);
      const parts = [GZIP_HEADER, ...runs.map(({ bytes }) => bytes), gzipTrailer(checksum)];
      const member = Buffer.concat(parts);
      const whole = Buffer.concat(texts);
      return isOneMember(member) && gunzipSync(member).equals(whole);
    }),
    { numRuns: 300 },
  );
});

void t.test('knows checksums of long texts, and lengths modulo 2^32', async (t) => {
  const million = { crc32: crc32(new Uint8Array(2 ** 20)), textBytes: 2 ** 20 };
  let joined = million;
  for (let doublings = 0; doublings < 8; doublings += 1) joined = joinChecksums(joined, joined);
  t.equal(joined.textBytes, 2 ** 28);
  let sum = 0;
  const zeros = new Uint8Array(2 ** 24);
  for (let number = 0; number < 2 ** 4; number += 1) sum = crc32(zeros, sum);
  t.equal(joined.crc32, sum);
  t.equal(gzipTrailer({ crc32: sum, textBytes: 2 ** 33 + 5 }).at(-4), 5);
});
