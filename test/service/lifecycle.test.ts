/** The life of the service: it starts, loses a front, its supervisor, its port; it ends without cutting an answer. */
import t from 'tap';
import { snapshotDocument } from '../support/documents.js';
import { getJson } from '../support/requests.js';
import { publish, startService } from '../support/service.js';

t.test('serves a snapshot that is published while it runs', async (t) => {
  const service = await startService(t, { expect: ['unavailable'] });
  t.equal((await getJson(service, '/meta')).status, 503);
  await publish(service, snapshotDocument());
  const line = await service.waitForLog('activated');
  const meta = await getJson(service, '/meta');
  t.equal(meta.status, 200);
  t.comment(JSON.stringify(service.lines, null, 1));
  t.comment(JSON.stringify(line));
  t.same(await service.stop(), { code: 0, signal: null });
});
