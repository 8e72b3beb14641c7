/** The Atom feed of snapshots: its ids, and texts that XML cannot hold. */
import t from 'tap';
import { renderAtomFeed, type ListedSnapshot } from '../../../src/views/history/snapshots.js';
import { elementsIn, find, parseXml, textIn } from '../../support/readers/xml.js';

const SNAPSHOTS: readonly ListedSnapshot[] = ['b', 'a'].map((snapshotId) => ({
  snapshotId,
  generatedAtMs: Date.UTC(2026, 8, 10),
  activatedAtMs: Date.UTC(2026, 8, 10, 1),
  measurementRows: 9,
  active: snapshotId === 'b',
}));

const OPTIONS = { namespace: 'demo', baseUrl: 'http://localhost:8080', author: 'Ваздух' };

/** Of the feed and of its entries. */
function idsOf(options: Partial<typeof OPTIONS>): readonly string[] {
  const feed = parseXml(Buffer.from(renderAtomFeed(SNAPSHOTS, { ...OPTIONS, ...options })));
  return [feed, ...find(feed, 'entry')].map((one) => {
    const [id] = elementsIn(one).filter(({ name }) => name === 'id');
    return id ? textIn(id) : '';
  });
}

void t.test('ids are UUIDs of the namespace and the snapshot, whatever the address', async (t) => {
  const ids = idsOf({});
  for (const id of ids) {
    t.match(id, /^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  t.strictSame(idsOf({ baseUrl: 'https://air.example/data' }), ids);
  const others = idsOf({ namespace: 'other' });
  t.equal(new Set([...ids, ...others]).size, 6, 'other snapshots and other organizations');
});

void t.test('a name with characters that XML cannot hold leaves the feed readable', async (t) => {
  const author = 'A<&">\u0001\u001f\ufffe';
  const feed = parseXml(Buffer.from(renderAtomFeed(SNAPSHOTS, { ...OPTIONS, author })));
  t.strictSame(find(feed, 'name').map(textIn), ['A<&">\ufffd\ufffd\ufffd']);
});
