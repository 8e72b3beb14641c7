/** Figure 8: bytes of the copy that is being served are overwritten; is a wrong answer given with 200? */
import { open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { randomNumbers } from '../../../test/support/documents/random.js';
import { ask, type RawAnswer } from '../../harness/exchange.js';
import { openSetup, type Setup } from '../../harness/setup.js';
import { Checker } from '../../soak/checker.js';
import { Oracle, type PlainDocument } from '../../soak/oracle.js';
import type { SoakRequest } from '../../soak/requests.js';
import { GZIP } from '../../measure/targets.js';
import { killFront } from './events.js';
import { none, type RunPart } from './part.js';

const FLIPS = 40;
const SEED = 8;
const AT_A_TIME = 8;
const READY_LIMIT_MS = 60_000;

interface Outcome {
  readonly offset: number;
  readonly asked: number;
  readonly wrong: readonly string[];
  /** Answers other than 200, and connections that ended before the last byte. */
  readonly refused: number;
  /** Whether the copy was replaced. */
  readonly isReplaced: boolean;
}

export const runCorruption: RunPart = async ({ scale, progress }) => {
  const setup = await openSetup({ snapshots: [{ shape: 'soak', version: 1 }], progress });
  try {
    const file = setup.snapshots[0];
    if (file === undefined) throw new Error('no snapshot');
    const text = gunzipSync(await readFile(file.path)).toString();
    const oracle = new Oracle(JSON.parse(text) as PlainDocument);
    const random = randomNumbers(SEED);
    const outcomes: Outcome[] = [];
    const count = Math.max(2, Math.round(FLIPS * scale));
    for (let at = 0; at < count; at += 1) {
      progress(`flip ${at + 1} of ${count}`);
      outcomes.push(await flipOnce(setup, oracle, { random, round: at }));
    }
    const wrong = outcomes.filter((one) => one.wrong.length > 0);
    const noticed = outcomes.filter((one) => one.refused > 0 || one.isReplaced);
    return {
      tables: [],
      criteria: [
        none('8. bytes overwritten while serving: served wrong', wrong.length, String(count)),
      ],
      notes: [
        `${noticed.length} of ${count} overwritten bytes were noticed while every series, every list and both streams were asked for; others lie where nothing is stored, or in what was in memory already. Seed ${SEED}.`,
        ...wrong.flatMap((one) => one.wrong.slice(0, 1)).slice(0, 5),
      ],
      figures: outcomes,
    };
  } finally {
    await setup.close();
  }
};

async function flipOnce(
  setup: Setup,
  oracle: Oracle,
  { random, round }: { readonly random: () => number; readonly round: number },
): Promise<Outcome> {
  const file = await servedFile(setup, oracle.snapshotId);
  const before = await stat(file);
  const offset = Math.floor(random() * before.size);
  const bit = 2 ** Math.floor(random() * 8);
  await flip(file, offset, bit);
  const wrong: string[] = [];
  let refused = 0;
  const requests = everything(oracle, round);
  const { port } = setup.service;
  const checker = new Checker(new Map([[oracle.snapshotId, oracle]]));
  for (let at = 0; at < requests.length; at += AT_A_TIME) {
    const some = requests.slice(at, at + AT_A_TIME);
    const answers = await Promise.all(
      some.map(({ path: target, gzip }) =>
        ask(port, { path: target, headers: gzip ? GZIP : {} }).catch(
          (): RawAnswer | undefined => undefined,
        ),
      ),
    );
    for (const [index, request] of some.entries()) {
      const answer = answers[index];
      if (answer?.status !== 200) {
        refused += 1;
        continue;
      }
      const verdict = checker.check({ request, tag: undefined, sentMs: 0 }, answer, 0);
      if (verdict.kind === 'wrong') wrong.push(verdict.what);
    }
  }
  await untilReady(port);
  const now = await servedFile(setup, oracle.snapshotId);
  const isReplaced = (await stat(now)).ino !== before.ino;
  // What was not replaced is mended, so that each flip is alone.
  if (!isReplaced) await flip(file, offset, bit);
  // A wrong answer stays in the memory of the process that gave it.
  if (wrong.length > 0) await killFront(setup);
  return { offset, asked: requests.length, wrong, refused, isReplaced };
}

/** The data, each in a form that was not asked for before, so that no answer that is in memory will do. */
function everything(oracle: Oracle, round: number): readonly SoakRequest[] {
  const from = new Date(Date.UTC(2026, 0, 1) + round).toISOString();
  const { stationIds, parameterCodes } = oracle.keys;
  const observations = stationIds.flatMap((station) =>
    parameterCodes.map(
      (code) =>
        `/api/v1/observations?station_id=${station}&parameter_code=${encodeURIComponent(code)}&from=${from}`,
    ),
  );
  const paths = [
    ...oracle.legacyTargets,
    ...observations,
    `/api/v1/observations/stream?from=${from}`,
    '/api/v1/observations',
    '/api/v1/observations/latest',
    '/api/v1/stations',
    ...oracle.legacyTargets
      .filter((target) => target.endsWith('window=7d'))
      .map((target) => `${target.replace('/measurements', '/portal/export')}&format=csv`),
  ];
  return paths.map((target, at) => ({
    kind: 'hot',
    path: target,
    gzip: (at + round) % 2 === 0,
    conditional: false,
    id: undefined,
  }));
}

async function servedFile({ directory }: Setup, snapshotId: string): Promise<string> {
  const copies = path.join(directory, 'local', 'bench');
  const deadline = Date.now() + READY_LIMIT_MS;
  while (Date.now() < deadline) {
    const name = (await readdir(copies)).find((one) => one.startsWith(`${snapshotId}~`));
    if (name !== undefined) return path.join(copies, name, 'data.mdb');
    await delay(50);
  }
  throw new Error(`no copy of ${snapshotId}`);
}

async function flip(file: string, offset: number, bit: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const byte = Buffer.alloc(1);
    await handle.read(byte, 0, 1, offset);
    byte[0] = (byte[0] ?? 0) ^ bit;
    await handle.write(byte, 0, 1, offset);
  } finally {
    await handle.close();
  }
}

async function untilReady(port: number): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  while (Date.now() < deadline) {
    const answer = await ask(port, { path: '/health/ready', headers: {} }).catch(() => undefined);
    if (answer?.status === 200) return;
    await delay(50);
  }
  throw new Error('not ready within 60 s');
}
