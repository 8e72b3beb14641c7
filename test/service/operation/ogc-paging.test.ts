/** Pages of features by `next` links: each feature once, from one snapshot, while others are activated. */
import t from 'tap';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { get } from '../../support/service/requests.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { activate, type Service } from '../../support/service/service.js';

/** Each is imported once; after every other one the snapshot before is activated again, which takes no import. */
const SNAPSHOTS = 14;
const STATIONS = 21;

/** Features of a page: a walk has four pages, with a swap between any two. */
const LIMIT = 5;

/** Former snapshots that a service has. */
const KEPT = 12;

interface Page {
  readonly features: readonly { readonly id: string; readonly properties: PlainDocument }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly numberMatched: number;
  readonly timeStamp: string;
}

/** A client that follows `next`. */
interface Walk {
  readonly number: number;
  next: string | undefined;
  readonly features: string[];
  readonly times: Set<string>;
}

void t.test('paging over 20 swaps', async (t) => {
  const env = { POINTER_POLL_SECONDS: '0.05' };
  const service = await startServing(t, numbered(0), { env });
  const walks: Walk[] = [];
  const walkOn = async (number: number): Promise<void> => {
    for (const collection of ['stations', 'latest']) {
      const next = `/ogc/collections/${collection}/items?limit=${LIMIT}`;
      walks.push({ number, next, features: [], times: new Set() });
    }
    for (const walk of walks) await follow(service, walk);
  };
  await walkOn(0);
  for (let number = 1; number < SNAPSHOTS; number += 1) {
    await publishAndServe(service, numbered(number));
    await walkOn(number);
    if (number % 2 === 0) continue;
    const from = service.lines.length;
    await activate(service, `paging-${number - 1}`);
    await activated(service, numbered(number - 1), from);
    await walkOn(number - 1);
  }
  t.equal(walks.length, 2 * (1 + 20), 'there were 20 swaps');
  // The last walks end on a snapshot that stays.
  for (const walk of walks) while (walk.next !== undefined) await follow(service, walk);

  const expected = (number: number, isLatest: boolean) =>
    stationsOf(number).map((id) => `${id}${isLatest ? ':SO2' : ''} of ${number}`);
  for (const [at, { number, features, times }] of walks.entries()) {
    t.same(features, expected(number, at % 2 === 1), `snapshot ${number}`);
    t.same([...times], [timeOf(number)]);
  }

  const pageOf = async (id: string) =>
    await get(service, `/ogc/collections/stations/items?limit=1&snapshot=${id}`);
  let gone = 0;
  for (let number = 0; number < SNAPSHOTS; number += 1) {
    const { status, body } = await pageOf(`paging-${number}`);
    gone += status === 410 ? 1 : 0;
    t.match(String(body), status === 410 ? /snapshot/ : timeOf(number));
  }
  t.equal(gone, SNAPSHOTS - 1 - KEPT);
  t.equal((await pageOf('never')).status, 410);
});

/** Reads the next page of a walk, if there is one. */
async function follow(service: Service, walk: Walk): Promise<void> {
  if (walk.next === undefined) return;
  const { status, body } = await get(service, walk.next);
  if (status !== 200) throw new Error(`${status}: ${walk.next}`);
  const page = JSON.parse(body.toString()) as Page;
  for (const { id, properties } of page.features) {
    const { station_name: name } = properties;
    walk.features.push(`${id} of ${String(name).split(' of ')[1] ?? ''}`);
  }
  walk.times.add(page.timeStamp);
  const href = page.links.find(({ rel }) => rel === 'next')?.href;
  const address = href === undefined ? undefined : new URL(href);
  walk.next = address && address.pathname + address.search;
}

/** Ids of the stations of a document: each document lacks another one. */
function stationsOf(number: number): readonly number[] {
  const ids = Array.from({ length: STATIONS }, (_, at) => 100 + at);
  return ids.filter((id) => id !== 100 + (number % STATIONS));
}

function timeOf(number: number): string {
  return `2026-09-10T00:00:${String(number).padStart(2, '0')}Z`;
}

function numbered(number: number): PlainDocument {
  const [station, row] = ['stations', 'measurements'].map(
    (list) => objectsOf(snapshotDocument(), list)[0],
  );
  const ids = stationsOf(number);
  return snapshotDocument({
    snapshot_id: `paging-${number}`,
    generated_at: timeOf(number),
    stations: ids.map((id) => ({
      ...station,
      station_id: id,
      station_code: `RS${id}`,
      station_name: `Station ${id} of ${number}`,
    })),
    measurements: ids.map((station_id) => ({ ...row, station_id, component_id: 1 })),
  });
}
