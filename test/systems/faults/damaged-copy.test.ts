/** Damage of the active copy: no wrong answer, no 404 for existing data, and a new copy from the store. */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { copyFolder } from '../../support/service/copy-folders.js';
import { waitForChild } from '../../support/service/children.js';
import { Connection, type Answer } from '../../support/service/connection.js';
import {
  generateDocument,
  objectsOf,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { scaled, seedOf } from '../../support/faults/chance.js';
import { randomNumbers } from '../../support/documents/random.js';
import { allTargets } from '../../support/expected/expected-answers.js';
import { get } from '../../support/service/requests.js';
import { eventually, type Service } from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';

/** Bytes that are changed in whole rounds, each of which ends when all answers are right again; the last one has a digit. */
const FLIPS_A_ROUND = 25;
const FLIPS = FLIPS_A_ROUND * scaled(2);
const ID = 'damaged';

/** Log lines that may occur about a damaged copy, and about fronts that LMDB has ended. */
const EXPECTED = [
  'front found the local copy damaged',
  'local copy damaged',
  'unavailable',
  'front cannot serve the snapshot',
  'front died',
];

void t.test(`${FLIPS} bytes, and a digit wherever it stands`, async (t) => {
  // A value for nearly each hour of a month.
  const options = { stations: 2, components: 3, hours: 720, snapshotId: ID };
  const written = await buffer(generateDocument(options));
  const document = JSON.parse(written.toString()) as PlainDocument;
  // A row of one of the last hours, which finished answers have, and those that a worker or the front reads.
  const rows = objectsOf(document, 'measurements').filter((row) => row['station_id'] === 1);
  const value = String(rows.findLast((row) => row['component_id'] === 1)?.['value']);
  const service = await startServing(t, document, { expect: EXPECTED });
  const keys = keysOf(document);
  const right = await answersOf(service, keys);
  const shown = [...right.values()].filter((answer) => answer?.body.includes(`"value":${value}`));
  t.ok(shown.length > 3, `${shown.length} answers have the digit`);
  const good = [...right.values()].filter((answer) => answer?.status === 200).length;
  t.ok(good > 80, `${good} of ${keys.length} answers are 200`);
  const random = randomNumbers(seedOf(t));
  const counts = { refused: 0, met: 0 };
  for (let flips = 0; flips <= FLIPS; flips += FLIPS_A_ROUND) {
    await eventually('data are served', async () => {
      return (await get(service, '/health/ready').catch(() => undefined))?.status === 200;
    });
    const from = service.lines.length;
    const path = join(copyFolder(service.copies, ID), 'data.mdb');
    await (flips < FLIPS ? flipBytes(path, random) : overwrite(path, value));
    const shuffled = keys.toSorted(() => random() - 0.5);
    await askEach(service.port, shuffled, (key, answer) => {
      if (answer?.status === 503) counts.refused += 1;
      else if (answer && !isSame(answer, right.get(key)))
        t.fail(`${key}: ${answer.status} ${answer.body.toString('latin1', 0, 300)}`);
    });
    if (service.lines.slice(from).some(({ msg }) => EXPECTED.includes(msg))) counts.met += 1;
    else {
      // Nobody has read what was changed, and answers that were read once are in memory: a new front reads all again.
      process.kill((await waitForChild(service.pid, 'front.js')).pid, 'SIGKILL');
    }
  }
  t.ok(counts.met > 0 && counts.refused > 0, JSON.stringify(counts));
  // The last damage may not have been met yet: until the copy is a new one, some answers are still refused.
  await eventually('all answers are right', async () => {
    const now = await answersOf(service, keys);
    return [...now].every(([key, answer]) => answer && isSame(answer, right.get(key)));
  });
});

async function overwrite(path: string, value: string): Promise<void> {
  const bytes = await readFile(path);
  const file = await open(path, 'r+');
  let found = 0;
  for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + 1)) {
    await file.write(Buffer.from('9'), 0, 1, at + value.length - 1);
    found += 1;
  }
  await file.close();
  if (found === 0) throw new Error(`no ${value} in ${path}`);
}

/** Changes some bytes in place: processes that have the file mapped see it at once. */
async function flipBytes(path: string, random: () => number): Promise<void> {
  const file = await open(path, 'r+');
  const { size } = await file.stat();
  const byte = Buffer.alloc(1);
  for (let flip = 0; flip < FLIPS_A_ROUND; flip += 1) {
    const offset = Math.floor(random() * size);
    await file.read(byte, 0, 1, offset);
    byte.writeUInt8(byte.readUInt8() ^ (1 + Math.floor(random() * 255)));
    await file.write(byte, 0, 1, offset);
  }
  await file.close();
}

function keysOf(document: PlainDocument): readonly string[] {
  const series = 'organization_id=1&station_id=2&component_id=3&window=30d';
  // Within chunks of three days, so that observations are read by themselves.
  const filters = ['', 'from=2026-09-01T05:00Z', 'parameter_code=O3'];
  filters.push('station_id=1&to=2026-08-27T07:00Z', 'station_id=1&from=2026-08-12T05:00Z');
  const hourly = 'observations_hourly_preliminary_last30days';
  const files = ['stations.csv', 'stations.geojson', 'SHA256SUMS', 'README.md'];
  const lists = ['observations', 'observations/stream', 'observations/latest'];
  const api = [
    ...filters.flatMap((query) => lists.map((list) => `${list}?${query}`)),
    ...'metadata parameters stations stations?bbox=18,42,23,47 bulk dcat'.split(' '),
    ...[...files, `${hourly}.csv`, `${hourly}.parquet`].map((name) => `bulk/${name}`),
  ];
  const targets = [
    ...allTargets(document),
    ...['csv', 'ods'].map((format) => `/portal/export?${series}&format=${format}`),
    '/measurements?organization_id=1&station_id=1&component_id=1&window=30d',
    ...api.map((path) => `/api/v1/${path}`),
  ];
  return targets.flatMap((target) => [`identity ${target}`, `gzip ${target}`]);
}

async function answersOf({ port }: Service, keys: readonly string[]) {
  const answers = new Map<string, Answer | undefined>();
  await askEach(port, keys, (key, answer) => answers.set(key, answer));
  return answers;
}

/** Requests everything once; an answer that is cut, or missing for want of a front, is undefined. */
async function askEach(
  port: number,
  keys: readonly string[],
  take: (key: string, answer: Answer | undefined) => void,
): Promise<void> {
  const waiting = keys.values();
  const work = async (): Promise<void> => {
    let connection: Connection | undefined;
    for (const key of waiting) {
      if (connection?.isClosed !== false) {
        connection = await Connection.open(port).catch(() => undefined);
      }
      const [coding = '', target = ''] = key.split(' ');
      const asked = connection?.ask({ target, fields: { 'Accept-Encoding': coding } });
      take(key, await asked?.catch(() => undefined));
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: 6 }, work));
}

function isSame(answer: Answer, right: Answer | undefined): boolean {
  return answer.status === right?.status && answer.body.equals(right.body);
}
