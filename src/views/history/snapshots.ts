/** The snapshots that a client may name: as a list, and the last ones as an Atom feed (RFC 4287). */
import { createHash } from 'node:crypto';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { licenseOf } from '../operator.js';
import { escapeMarkup } from '../xml.js';

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
 * @param options.namespace of the store: what ids are made of, so that all instances have the same at any address.
 * @param options.baseUrl without a slash at its end.
 * @param options.author the operator; undefined where nobody is known.
 */
export function renderAtomFeed(
  snapshots: readonly ListedSnapshot[],
  { namespace, baseUrl, author = 'Bura' }: FeedOptions,
): string {
  const entries = snapshots.slice(0, ENTRIES_MAX);
  const self = `${baseUrl}${FEED_PATH}`;
  const license = licenseOf();
  const updatedMs = Math.max(0, ...entries.map((entry) => entry.activatedAtMs));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<id>${nameUrn(namespace)}</id>`,
    `<title>${escapeMarkup(author)}: new data</title>`,
    '<subtitle>Snapshots of preliminary hourly measurements</subtitle>',
    `<updated>${utcDateTime(updatedMs)}</updated>`,
    `<author><name>${escapeMarkup(author)}</name></author>`,
    `<rights>Licence of the data: ${escapeMarkup(license.name)}</rights>`,
    `<link rel="license" href="${escapeMarkup(baseUrl + license.url)}"/>`,
    `<link rel="self" type="application/atom+xml" href="${escapeMarkup(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeMarkup(`${baseUrl}/`)}"/>`,
    ...entries.map((entry) => renderEntry(entry, { namespace, baseUrl })),
    '</feed>',
    '',
  ].join('\n');
}

interface FeedOptions {
  readonly namespace: string;
  readonly baseUrl: string;
  readonly author: string | undefined;
}

function renderEntry(
  entry: ListedSnapshot,
  { namespace, baseUrl }: Omit<FeedOptions, 'author'>,
): string {
  const { snapshotId, generatedAtMs, activatedAtMs, measurementRows: rows } = entry;
  const changes = escapeMarkup(`${baseUrl}/api/v1/changes?since=${encodeURIComponent(snapshotId)}`);
  const generated = utcDateTime(generatedAtMs);
  return [
    '<entry>',
    `<id>${nameUrn(`${namespace}/${snapshotId}`)}</id>`,
    `<title>Snapshot ${escapeMarkup(snapshotId)}</title>`,
    `<published>${generated}</published>`,
    `<updated>${utcDateTime(activatedAtMs)}</updated>`,
    `<link rel="alternate" type="application/x-ndjson" href="${changes}"/>`,
    `<summary>Made at ${generated} of ${rows} rows. The link leads to what has changed since.</summary>`,
    '</entry>',
  ].join('\n');
}

/** What the names in a UUID are counted under; it stays, or feed readers would take every entry for a new one. */
const UUID_NAMESPACE = Buffer.from('deea672a4c4341e88a6b7feb4ee77744', 'hex');

/** A UUID made of a name (version 5, RFC 9562 §5.5): an id must not change with the address (RFC 4287 §4.2.6). */
function nameUrn(name: string): string {
  const bytes = createHash('sha1').update(UUID_NAMESPACE).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(bytes.toString('hex')) ?? [];
  return `urn:uuid:${groups.slice(1).join('-')}`;
}
