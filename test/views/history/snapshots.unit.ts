/** The Atom feed of snapshots: texts that XML cannot hold; its ids: `service/api/changes.test.ts`. */
import t from 'tap';
import { renderAtomFeed, type ListedSnapshot } from '../../../src/views/history/snapshots.js';
import { find, parseXml, textIn } from '../../support/readers/xml.js';

const SNAPSHOTS: readonly ListedSnapshot[] = ['b', 'a'].map((snapshotId) => ({
  snapshotId,
  generatedAtMs: Date.UTC(2026, 8, 10),
  activatedAtMs: Date.UTC(2026, 8, 10, 1),
  measurementRows: 9,
  active: snapshotId === 'b',
}));

const OPTIONS = { namespace: 'demo', baseUrl: 'http://localhost:8080', author: 'Ваздух' };

void t.test('a name with characters that XML cannot hold leaves the feed readable', async (t) => {
  const author = 'A<&">\u0001\u001f\ufffe';
  const feed = parseXml(Buffer.from(renderAtomFeed(SNAPSHOTS, { ...OPTIONS, author })));
  t.strictSame(find(feed, 'name').map(textIn), ['A<&">\ufffd\ufffd\ufffd']);
});
