/** Puts the text of a request around records that many requests share. */
import { chunkBytes, fill, type Chunk, type Plan } from '../plan.js';
import {
  checksumOf,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  gzipTrailer,
  joinChecksums,
  storedBlock,
  type Checksum,
} from './gzip-member.js';
import type { RecordsSource } from './records-plan.js';

/** A few hundred characters each. */
export interface Frame {
  readonly head: string;
  readonly tail: (records: number) => string;
}

/** An answer that is not longer is one chunk of bytes: sent in one piece, and cached as what it is. */
const WHOLE_BYTES_MAX = 64 * 1024;

/**
 * The whole answer; a plan in gzip without a checksum is one already. The frame of a gzip member is stored in it as it is: to compress it would take longer than all
 * the rest of a small answer.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export function framed(source: Pick<RecordsSource, 'readInto'>, plan: Plan, frame: Frame): Plan {
  const { records = 0, coding, chunks, checksum } = plan;
  if (coding === 'gzip' && checksum === undefined) return plan;
  const head = Buffer.from(frame.head);
  const tail = Buffer.from(frame.tail(records));
  const parts: readonly Chunk[] =
    checksum === undefined
      ? [{ kind: 'bytes', bytes: head }, ...chunks, { kind: 'bytes', bytes: tail }]
      : [
          bytesChunk(GZIP_HEADER, storedBlock(head)),
          ...chunks,
          bytesChunk(
            storedBlock(tail),
            gzipTrailer(joinAll([checksumOf(head), checksum, checksumOf(tail)])),
          ),
        ];
  const totalBytes = parts.reduce((sum, chunk) => sum + chunkBytes(chunk), 0);
  if (totalBytes > WHOLE_BYTES_MAX) return { coding, records, totalBytes, chunks: parts };
  const bytes = Buffer.allocUnsafeSlow(totalBytes);
  fill(bytes, parts, (place, file, offset) => {
    source.readInto(place, file, offset);
  });
  return { coding, records, totalBytes, chunks: [{ kind: 'bytes', bytes }] };
}

function bytesChunk(...parts: readonly Uint8Array[]): Chunk {
  return { kind: 'bytes', bytes: Buffer.concat(parts) };
}

function joinAll(checksums: readonly Checksum[]): Checksum {
  return checksums.reduce(joinChecksums, EMPTY_CHECKSUM);
}
