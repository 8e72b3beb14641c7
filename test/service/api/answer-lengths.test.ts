/**
 * Answers of every length of a selection: the same text in each coding, in any order, for HEAD and conditional
 * requests.
 */
import t from 'tap';
import { gunzipSync } from 'node:zlib';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { randomNumbers } from '../../support/documents/random.js';
import { asker, fieldOf, type Answer } from '../../support/service/connection.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';

const HOUR_MS = 3_600_000;
const HOURS = 720;
const GENERATED_AT_MS = Date.parse('2026-09-10T00:00:00Z');

/** Two of them have more hours each; the others have all. */
const STATIONS = 42;

/** Repeated, so that the text is many times as long as its gzip form, of one component of two. */
const NAME = 'Merna stanica '.repeat(6);

/** Texts of all lengths up to 10 MB: compressed from a twentieth to a fourth. */
function sweptDocument(id: string): PlainDocument {
  const random = randomNumbers(35);
  const stations = Array.from({ length: STATIONS }, (_, at) => ({
    station_id: at + 1,
    station_name: `${NAME}${at + 1}`,
    station_code: `S${at + 1}`,
    organization_id: 1,
    network_id: 1,
  }));
  const measurements = stations.flatMap(({ station_id }) => {
    const hours = Math.min(HOURS, 2 ** Math.floor(station_id / 2));
    return Array.from({ length: hours }, (_, back) => {
      const when = new Date(GENERATED_AT_MS - (back + 1) * HOUR_MS).toISOString();
      const row = { station_id, date: when.slice(0, 10), time: when.slice(11, 16) };
      return [
        { ...row, component_id: 1, value: 12 },
        { ...row, component_id: 8, value: Math.round(random() * 1e6) / 1e4 },
      ];
    }).flat();
  });
  return snapshotDocument({ snapshot_id: id, stations, measurements });
}

const FIELDS = { gzip: { 'Accept-Encoding': 'gzip' }, identity: { 'Accept-Encoding': 'identity' } };

/** Answers that are as long as a client likes: of the first stations, their number doubled from one to the next. */
const SWEPT = ['/api/v1/changes?since=before', '/api/v1/observations.csv?layout=wide'];
const LAST_STATIONS = [2, 6, 8, 10, 12, 14, 16, 20, STATIONS];

/** The others, of one station, of some and of all. */
const OTHERS = [
  '/api/v1/observations.csv?layout=long',
  '/api/v1/observations?',
  '/api/v1/observations/stream?parameter_code=SO2',
  '/api/v1/observations/latest?',
  '/api/v1/observations/latest.csv?layout=wide',
  '/api/v1/stations?',
];

function targetsOf(paths: readonly string[], lasts: readonly number[]): readonly string[] {
  return paths.flatMap((path) =>
    lasts.map((last) => {
      const ids = Array.from({ length: last }, (_, at) => at + 1).join(',');
      return `${path}&station_id=${ids}`.replace('?&', '?');
    }),
  );
}

void t.test('every length is answered, whoever asks first', async (t) => {
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'before' }), {
    env: { POINTER_POLL_SECONDS: '0.05' },
  });
  await publishAndServe(service, sweptDocument('after'));
  const ask = asker(t, service);
  const lengths = new Set<number>();

  /** Whether all kinds of requests for it agree. */
  const isAnswered = async (target: string, order: readonly ('gzip' | 'identity')[]) => {
    const found: Partial<Record<'gzip' | 'identity', Answer>> = {};
    for (const coding of order) {
      const answer = await ask(target, FIELDS[coding]);
      const { status, body } = answer;
      if (status !== 200) throw new Error(`${status} ${body.toString()} to ${coding}`);
      const length = String(body.byteLength);
      const head = await ask(target, FIELDS[coding], 'HEAD');
      for (const { fields } of [answer, head]) {
        if (fieldOf({ fields }, 'Content-Length') !== length) throw new Error('another length');
      }
      const etag = fieldOf(answer, 'ETag') ?? '';
      const has = await ask(target, { ...FIELDS[coding], 'If-None-Match': etag });
      if (head.status !== 200 || has.status !== 304)
        throw new Error(`${head.status} ${has.status}`);
      found[coding] = answer;
    }
    const { gzip, identity } = found;
    if (gzip === undefined || identity === undefined) return false;
    const isGzip = fieldOf(gzip, 'Content-Encoding') === 'gzip';
    const text = isGzip ? gunzipSync(gzip.body) : gzip.body;
    lengths.add(text.byteLength);
    const records = fieldOf(identity, 'X-Record-Count');
    return text.equals(identity.body) && records === fieldOf(gzip, 'X-Record-Count');
  };

  for (const target of targetsOf(SWEPT, LAST_STATIONS)) {
    t.ok(await isAnswered(target, ['gzip', 'identity']), target);
  }
  for (const target of targetsOf(OTHERS, [1, STATIONS])) {
    t.ok(await isAnswered(target, ['identity', 'gzip']), target);
  }
  t.ok(Math.max(...lengths) > 10_000_000, `up to ${Math.max(...lengths)} bytes`);
  t.ok(Math.min(...lengths) < 1000, `from ${Math.min(...lengths)} bytes`);
});
