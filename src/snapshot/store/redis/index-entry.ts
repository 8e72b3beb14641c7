/** What a Redis store's index says of one document, as JSON. */

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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const { size_bytes: sizeBytes, sha256, stored_at: storedAt } = members;
  const storedAtMs = Date.parse(String(storedAt));
  if (!Number.isSafeInteger(sizeBytes) || Number(sizeBytes) < 1) return undefined;
  if (typeof sha256 !== 'string' || Number.isNaN(storedAtMs)) return undefined;
  return { sizeBytes: Number(sizeBytes), sha256, storedAtMs, text };
}
