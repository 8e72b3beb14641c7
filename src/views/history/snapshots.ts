/** The snapshots that a client may name: as a list, and the last ones as an Atom feed (RFC 4287). */
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { escapeXml } from '../xml.js';

export interface ListedSnapshot {
  readonly snapshotId: string;
  /** Epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  /** Epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  /** The document's own count. */
  readonly measurementRows: number;
  readonly active: boolean;
}

/** An item of `GET /api/v1/snapshots` (docs/http-api/changes.md, "Changes"). */
export function viewSnapshot(snapshot: ListedSnapshot): Readonly<Record<string, unknown>> {
  const { snapshotId, generatedAtMs, activatedAtMs, measurementRows, active } = snapshot;
  return {
    snapshot_id: snapshotId,
    generated_at_utc: utcDateTime(generatedAtMs),
    activated_at_utc: utcDateTime(activatedAtMs),
    measurement_rows: measurementRows,
    active,
  };
}

export const FEED_PATH = '/api/v1/changes.atom';

/** A feed reader asks again soon enough; nobody reads back further. */
const ENTRIES_MAX = 50;

/**
 * The feed, in English.
 *
 * @param snapshots newest first.
 * @param options.baseUrl without a slash at its end.
 * @param options.author the operator; undefined where nobody is known.
 */
export function renderAtomFeed(
  snapshots: readonly ListedSnapshot[],
  { baseUrl, author = 'Bura' }: { readonly baseUrl: string; readonly author: string | undefined },
): string {
  const entries = snapshots.slice(0, ENTRIES_MAX);
  const self = `${baseUrl}${FEED_PATH}`;
  const updatedMs = Math.max(0, ...entries.map((entry) => entry.activatedAtMs));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<id>${escapeXml(self)}</id>`,
    `<title>${escapeXml(author)}: new data</title>`,
    '<subtitle>Snapshots of preliminary hourly measurements</subtitle>',
    `<updated>${utcDateTime(updatedMs)}</updated>`,
    `<author><name>${escapeXml(author)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(`${baseUrl}/`)}"/>`,
    ...entries.map((entry) => renderEntry(entry, baseUrl)),
    '</feed>',
    '',
  ].join('\n');
}

function renderEntry(entry: ListedSnapshot, baseUrl: string): string {
  const { snapshotId, generatedAtMs, activatedAtMs, measurementRows: rows } = entry;
  const changes = escapeXml(`${baseUrl}/api/v1/changes?since=${encodeURIComponent(snapshotId)}`);
  const generated = utcDateTime(generatedAtMs);
  return [
    '<entry>',
    `<id>${changes}</id>`,
    `<title>Snapshot ${escapeXml(snapshotId)}</title>`,
    `<published>${generated}</published>`,
    `<updated>${utcDateTime(activatedAtMs)}</updated>`,
    `<link rel="alternate" type="application/x-ndjson" href="${changes}"/>`,
    `<summary>Made at ${generated} of ${rows} rows. The link leads to what has changed since.</summary>`,
    '</entry>',
  ].join('\n');
}
