/** What a Redis store's index says of one document, as JSON. */

export interface IndexEntry {
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly parts: number;
  /** Epoch milliseconds, UTC. */
  readonly storedAtMs: number;
}

/** An entry with its text: what is done with it must find the same. */
export interface FoundEntry extends IndexEntry {
  readonly text: string;
}

/** Documents that are larger have more parts than are ever asked for; nothing like it has been met. */
const MAX_PARTS = 100_000;

export function encodeEntry({ sizeBytes, sha256, parts, storedAtMs }: IndexEntry): string {
  const storedAt = new Date(storedAtMs).toISOString();
  return JSON.stringify({ size_bytes: sizeBytes, sha256, parts, stored_at: storedAt });
}

/** The entry in a text, or undefined where it is none: then the snapshot counts as one that is not stored. */
export function decodeEntry(text: string): FoundEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const { size_bytes: sizeBytes, sha256, parts, stored_at: storedAt } = members;
  const storedAtMs = Date.parse(String(storedAt));
  if (!isCount(sizeBytes, Number.MAX_SAFE_INTEGER) || !isCount(parts, MAX_PARTS)) return undefined;
  if (typeof sha256 !== 'string' || Number.isNaN(storedAtMs)) return undefined;
  return { sizeBytes, sha256, parts, storedAtMs, text };
}

function isCount(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}
