/** The machine's wall clock: answers depend on the snapshot's time only. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { snapshotDocument } from '../support/documents/documents.js';
import { allTargets } from '../support/expected/expected-answers.js';
import { scaled } from '../support/faults/chance.js';
import { askAll, fieldOf } from '../support/service/connection.js';
import { startServing } from '../support/service/serve-documents.js';

const CLOCK = pathToFileURL(resolve('build/test/support/faults/shifted-clock.js')).href;

const DAY_MS = 86_400_000;

const HVD = ['metadata', 'stations', 'parameters', 'observations', 'observations/latest', 'bulk'];

void t.test('a clock that is a day or ten years ahead or behind changes no answer', async (t) => {
  const document = snapshotDocument();
  const requests = [
    ...allTargets(document),
    ...[...HVD, 'observations/stream', 'catalog'].map((name) => `/api/v1/${name}`),
    '/api/v1/observations?from=2026-09-08T12:00',
    '/portal/export?organization_id=1&station_id=1&component_id=8&window=7d&format=csv',
  ].map((target) => ({ target }));
  const answersOf = async (shiftMs: number): Promise<object> => {
    const nodeArguments = shiftMs === 0 ? [] : ['--import', `${CLOCK}?ms=${shiftMs}`];
    const service = await startServing(t, document, { nodeArguments });
    const aheadMs = Date.parse(String(service.lines[0]?.['time'])) - Date.now();
    t.ok(Math.abs(aheadMs - shiftMs) < 60_000, `its log is ${aheadMs} ms ahead`);
    const answers = new Map<string, unknown>();
    await askAll(service.port, requests, {
      connections: 4,
      take: async (connection, request) => {
        const answer = await connection.ask(request);
        const etag = fieldOf(answer, 'etag');
        answers.set(request.target, [answer.status, etag, answer.body.toString('latin1')]);
      },
    });
    await service.stop();
    return Object.fromEntries(answers);
  };
  const right = await answersOf(0);
  for (const days of [3650, -1, 1, -3650].slice(0, scaled(1))) {
    t.same(await answersOf(days * DAY_MS), right, `${days} days`);
  }
});
