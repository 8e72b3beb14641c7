/** The result of the suite `readers` as tables and promises. */
import type { IntervalFigures } from '../clients/paced.js';
import type { SlowReport } from '../clients/slow-process.js';
import type { Footprint, PeakMemory } from '../harness/footprint.js';
import { fixed, whole, type Criterion, type SuiteResult, type Table } from '../report.js';
import { spreadOf } from '../measure/statistics.js';

const GROWTH_LIMIT_MB = 150;
const P99_LIMIT = 3;
/** A reader that gets less than this of its 10 kB/s was starved. */
const STARVED_BYTES_PER_SECOND = 9_000;

/** Some readers at the same time, and what they took. */
export interface Crowd {
  readonly name: string;
  readonly readers: number;
  readonly peak: PeakMemory;
  /** The rate of all readers together. */
  readonly bytesPerSecond: number;
  /** The time until each of the slow readers had its first byte. */
  readonly arrivedMs: number | undefined;
  /** Figures of slow readers; undefined for fast ones. */
  readonly slow: SlowReport | undefined;
}

/** Latencies of `/meta` at a fixed rate. */
export interface MetaFigures extends IntervalFigures {
  readonly latenessP99Ms: number;
}

/** `/meta` while a crowd of slow readers arrives, and while it reads. */
export interface BesideReaders {
  readonly crowd: Crowd;
  readonly arriving: MetaFigures;
  readonly reading: MetaFigures;
}

interface ReadersFigures {
  readonly before: Footprint;
  readonly after: Footprint;
  readonly crowds: readonly Crowd[];
  /** One of each a round. */
  readonly quiet: readonly MetaFigures[];
  readonly beside: readonly BesideReaders[];
}

export function renderReaders(shape: string, figures: ReadersFigures): SuiteResult {
  const { crowds, beside, before } = figures;
  const all = [...crowds, ...beside.map(({ crowd }) => crowd)];
  const failures = all.flatMap(({ slow }) => slow?.firstFailure ?? []);
  return {
    suite: 'readers',
    question: `what do many readers of the whole dataset cost? (${shape} rows, full streams)`,
    tables: [memoryTable(figures, all), latencyTable(figures)],
    criteria: [
      ...crowds.map((crowd) => growthCriterion(crowd, before)),
      p99Criterion(figures),
      cutOffCriterion(all),
    ],
    notes: [
      'Memory: the largest of many looks, over all processes of the service. PSS counts the pages of the snapshot that it has mapped; anonymous memory does not. Before: no stream was asked for yet. All begun: until the last one had its first byte.',
      'Kernel: /proc/net/sockstat, what all TCP sockets of the machine hold. The largest that one socket may hold is the last number of net.ipv4.tcp_wmem.',
      'Each slow reader has an address of its own, as clients have. There are 1,000 where the service takes so many large answers at a time (docs/operations.md, "Kernel settings"), or as many as it takes.',
      '/meta is asked for at a fixed rate over 64 connections. "Client late" is how late the client itself woke up (p99): a floor under what it can see.',
      ...failures.map((what) => `a reader failed: ${what}`),
    ],
    figures,
  };
}

function memoryTable({ before, after }: ReadersFigures, crowds: readonly Crowd[]): Table {
  const atRest = (name: string, { pssMb, anonymousMb }: Footprint): readonly string[] => [
    name,
    fixed(pssMb, 0),
    fixed(anonymousMb, 0),
    fixed(pssMb - before.pssMb, 0),
    fixed(anonymousMb - before.anonymousMb, 0),
    '-',
    '-',
    '-',
    '-',
  ];
  return {
    title: 'Memory of the service’s processes, and of the kernel',
    columns: [
      'readers',
      'PSS MB',
      'anonymous MB',
      'grown by, PSS',
      'anonymous',
      'kernel MB',
      'MB/s',
      'kB/s, least',
      'all begun s',
    ],
    rows: [
      atRest('none, before', before),
      ...crowds.map((crowd) => [
        `${whole(crowd.readers)}, ${crowd.name}`,
        fixed(crowd.peak.pssMb, 0),
        fixed(crowd.peak.anonymousMb, 0),
        fixed(crowd.peak.pssMb - before.pssMb, 0),
        fixed(crowd.peak.anonymousMb - before.anonymousMb, 0),
        fixed(crowd.peak.tcpMb, 0),
        fixed(crowd.bytesPerSecond / 1e6, 1),
        fixed(leastBytesPerSecond(crowd) / 1000, 1),
        fixed((crowd.arrivedMs ?? Number.NaN) / 1000, 1),
      ]),
      atRest('none, after', after),
    ],
  };
}

function latencyTable({ quiet, beside }: ReadersFigures): Table {
  const cells = (name: string, rounds: readonly MetaFigures[]): readonly string[] => [
    name,
    whole(rounds.reduce((sum, { answers }) => sum + answers, 0)),
    fixed(medianOf(rounds, 'p50Ms'), 2),
    fixed(medianOf(rounds, 'p99Ms'), 2),
    fixed(Math.max(...rounds.map(({ maxMs }) => maxMs)), 1),
    fixed(medianOf(rounds, 'latenessP99Ms'), 2),
    whole(rounds.reduce((sum, { failures }) => sum + failures, 0)),
  ];
  return {
    title: '/meta at 2,000 requests/s',
    columns: ['meanwhile', 'answers', 'p50 ms', 'p99 ms', 'max ms', 'client late', 'failed'],
    rows: [
      cells('quiet', quiet),
      cells(
        `${crowdOf(beside)} slow readers arrive`,
        beside.map(({ arriving }) => arriving),
      ),
      cells(
        `${crowdOf(beside)} slow readers read`,
        beside.map(({ reading }) => reading),
      ),
    ],
  };
}

/** How many read slowly at a time. */
function crowdOf(beside: readonly BesideReaders[]): string {
  return whole(Math.max(...beside.map(({ crowd }) => crowd.readers)));
}

function growthCriterion({ name, readers, peak }: Crowd, before: Footprint): Criterion {
  const pssMb = peak.pssMb - before.pssMb;
  return {
    promise: `${whole(readers)} full streams, ${name}: growth of PSS`,
    wanted: `under ${GROWTH_LIMIT_MB} MB`,
    found: `${fixed(pssMb, 0)} MB (anonymous ${fixed(peak.anonymousMb - before.anonymousMb, 0)})`,
    met: pssMb < GROWTH_LIMIT_MB,
  };
}

function p99Criterion({ quiet, beside }: ReadersFigures): Criterion {
  const quietMs = medianOf(quiet, 'p99Ms');
  const besideMs = medianOf(
    beside.map(({ reading }) => reading),
    'p99Ms',
  );
  const times = besideMs / quietMs;
  const failed = beside.reduce((sum, { reading }) => sum + reading.failures, 0);
  return {
    promise: `${crowdOf(beside)} slow readers: p99 of /meta, beside quiet`,
    wanted: `under ${P99_LIMIT} times, none failed`,
    found: `${fixed(times, 1)} times (${fixed(quietMs, 2)} -> ${fixed(besideMs, 2)} ms), ${failed} failed`,
    met: times < P99_LIMIT && failed === 0,
  };
}

function cutOffCriterion(crowds: readonly Crowd[]): Criterion {
  const slow = crowds.filter((crowd) => crowd.slow !== undefined);
  const failed = slow.reduce((sum, crowd) => sum + (crowd.slow?.failed ?? 0), 0);
  const least = Math.min(...slow.map(leastBytesPerSecond));
  return {
    promise: 'slow readers cut off, and what the slowest one got',
    wanted: 'none, at least 9 kB/s',
    found: `${failed}, ${fixed(least / 1000, 1)} kB/s`,
    met: failed === 0 && least >= STARVED_BYTES_PER_SECOND,
  };
}

/** NaN where all read at full speed. */
function leastBytesPerSecond({ slow, bytesPerSecond }: Crowd): number {
  if (slow === undefined) return Number.NaN;
  return (slow.leastBytes / slow.bytes) * bytesPerSecond;
}

function medianOf(
  rounds: readonly MetaFigures[],
  figure: 'p50Ms' | 'p99Ms' | 'latenessP99Ms',
): number {
  return spreadOf(rounds.map((asked) => asked[figure])).median;
}
