/** What a Redis store's index says of one document, as JSON. */
import { countMember, parseMembers, textMember } from '../../domain/json-members.js';

export interface IndexEntry {
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Epoch milliseconds, UTC. */
  readonly storedAtMs: number;
}

/** An entry with its text: what is done with it must find the same. */
export interface FoundEntry extends IndexEntry {
  readonly text: string;
}

export function encodeEntry({ sizeBytes, sha256, storedAtMs }: IndexEntry): string {
  const storedAt = new Date(storedAtMs).toISOString();
  return JSON.stringify({ size_bytes: sizeBytes, sha256, stored_at: storedAt });
}

/** The entry in a text, or undefined where it is none: then the snapshot counts as one that is not stored. */
export function decodeEntry(text: string): FoundEntry | undefined {
  try {
    const members = parseMembers(text);
    const sizeBytes = countMember(members, 'size_bytes');
    const storedAtMs = Date.parse(textMember(members, 'stored_at'));
    if (Number.isNaN(storedAtMs)) return undefined;
    return { sizeBytes, sha256: textMember(members, 'sha256'), storedAtMs, text };
  } catch {
    return undefined;
  }
}
