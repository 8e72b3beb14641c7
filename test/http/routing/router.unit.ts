/** What answers are kept under: of a request all that they were made from. */
import t, { type Test } from 'tap';
import { createFrontState, type FrontState } from '../../../src/http/answers/front-state.js';
import { pageSettings } from '../../../src/http/answers/page-settings.js';
import { ServedSnapshot } from '../../../src/http/answers/served-snapshot.js';
import { NOT_FOUND_PAGES } from '../../../src/http/routes/pages/not-found.js';
import { endpoint } from '../../../src/http/routing/endpoint.js';
import { integer } from '../../../src/http/routing/parameters.js';
import { Router } from '../../../src/http/routing/router.js';
import { PendingAnswer } from '../../../src/http/semantics/answer.js';
import type { PlainRequest } from '../../../src/http/semantics/request.js';
import { copyDirectory } from '../../../src/snapshot/local/copies.js';
import { LeasedSnapshot } from '../../../src/snapshot/local/lease.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import { seriesRecord } from '../../../src/snapshot/local/observations/series-list.js';
import { CopyWriter } from '../../../src/snapshot/local/writer.js';
import { WorkerPool } from '../../../src/workers/pool.js';
import { HEADER } from '../../support/expected/observation-columns.js';
import { FIELDS } from '../../support/readers/request-fields.js';

const BUILD = 'abcd0123';
const pool = new WorkerPool({ threads: 1 });

/** Whatever is reported is a fault. */
function fail(error: unknown): never {
  throw error;
}

void t.test('an answer is cached under each part of the target that it is made from', async (t) => {
  const state = await serve(t, ['1/24', '2/24', '2/1']);
  const about = { description: '' };
  const byPathAndQuery = endpoint({
    path: '/stations/{station_id}',
    parameters: { station_id: integer('path', about), hours: integer('query', about) },
    caching: 'snapshot',
    resolve: ({ station_id: id, hours }) => ({ kind: 'prepared', name: `${id}/${hours}` }),
  });
  const router = new Router({
    endpoints: [byPathAndQuery],
    state,
    notFoundPages: NOT_FOUND_PAGES,
    onFailure: fail,
  });
  const bodyOf = (path: string, query: string): string => {
    const answer = router.handle(byPathAndQuery, requestOf(path, query));
    if (answer instanceof PendingAnswer) throw new Error('no answer');
    return Buffer.from(answer.body as Uint8Array).toString();
  };
  for (const time of ['first', 'cached']) {
    t.equal(bodyOf('/stations/1', 'hours=24'), 'of 1/24', time);
    t.equal(bodyOf('/stations/2', 'hours=24'), 'of 2/24', time);
    t.equal(bodyOf('/stations/2', 'hours=1'), 'of 2/1', time);
  }
});

/** A front that serves a copy with these finished answers. */
async function serve(t: Test, names: readonly string[]): Promise<FrontState> {
  const directory = t.testdir();
  const { snapshotId } = HEADER;
  const name = { snapshotId, documentSha256: 'e3b0c442', build: BUILD };
  const writer = await CopyWriter.create(directory, name);
  writer.putAnswers(names.map((one) => ({ name: one, identity: Buffer.from(`of ${one}`) })));
  writer.putRecord('series', seriesRecord([]));
  writer.putRecord('bundle', []);
  writer.putRecord('stations', []);
  writer.putRecord('latest', []);
  writer.putRecord('public-ids', {
    stations: [],
    components: [],
    parameterCodes: [],
  });
  await writer.finish(HEADER);
  const reader = new SnapshotReader(copyDirectory(directory, name));
  t.teardown(() => reader.close());
  const state = createFrontState({
    pool,
    baseUrl: { publicBaseUrl: undefined, trustProxy: false },
    pages: pageSettings({ defaultLanguage: 'en', timeZone: 'UTC', baseMap: 'none' }),
    keyPrefix: 'demo',
    onHistoryDamaged: () => undefined,
  });
  state.served = new ServedSnapshot(new LeasedSnapshot(reader, () => undefined), {
    build: BUILD,
    lastModified: undefined,
    pool,
    onDamage: fail,
  });
  return state;
}

function requestOf(path: string, query: string): PlainRequest {
  return { method: 'GET', path, query, fields: FIELDS, client: 'test' };
}
