/** Reports a document compared with the active snapshot: a summary, and likely mistakes. */
import type { Figures, Finding } from '../../publishing/findings.js';
import { checkGates } from '../../publishing/gates.js';
import { Land } from '../../publishing/land.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { Flags } from '../command.js';
import type { Active } from './active-snapshot.js';

const COMPONENTS_MAX = 16;
const FINDINGS_MAX = 5;

/** Folder of the base map, to which `build-assets.mjs` copies it. */
const BASE_MAP = new URL('../../base-map/', import.meta.url);

export interface GateOptions {
  readonly active: Promise<Active>;
  readonly flags: Flags;
  readonly say: (line: string) => void;
  /** Names of source files that are empty or whose last line has no end. */
  readonly cut?: readonly string[];
  /** Whether changed values of the past are refused; default: reported. */
  readonly refusesChanges?: boolean;
}

/** A document that is refused for its content, not its form. */
class MistakeError extends Error {
  override readonly name = 'MistakeError';
}

/**
 * Prints the summary and the allowed findings. Changed values of the past are refused in a document that is built from
 * tables; in a finished document, whose maker knows of them, they are only reported.
 *
 * @throws {MistakeError} with the findings that `--allow` does not name.
 */
export async function passGates(snapshot: Snapshot, options: GateOptions): Promise<void> {
  const { say, cut = [] } = options;
  const active = await comparable(snapshot, options);
  const { figures, before, findings } = checkGates(snapshot, {
    active,
    nowMs: Date.now(),
    land: new Land(BASE_MAP),
    cut,
  });
  for (const line of summaryOf(figures, before)) say(line);
  passFindings(findings, options);
}

/** Prints the allowed findings. @throws {MistakeError} with all other findings. */
export function passFindings(
  findings: readonly Finding[],
  { flags, say, refusesChanges = false }: Omit<GateOptions, 'active' | 'cut'>,
): void {
  const allowed = new Set(Array.isArray(flags['allow']) ? flags['allow'] : []);
  const refused: Finding[] = [];
  for (const finding of findings) {
    const { gate, message } = finding;
    if (allowed.has(gate)) say(`  allowed (${gate}): ${message}`);
    else if (gate === 'changed' && !refusesChanges) say(`  ${message}`);
    else refused.push(finding);
  }
  if (refused.length === 0) return;
  const flag = [...new Set(refused.map(({ gate }) => `--allow ${gate}`))].join(' ');
  const messages = refused.slice(0, FINDINGS_MAX).map(({ message }) => message);
  const more = refused.length - messages.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  throw new MistakeError(
    `this looks like a mistake: ${messages.join('; ')}${rest}. If it is intended: ${flag}`,
  );
}

/** The active snapshot; undefined without one, for the same snapshot, and if only one of the two is a demonstration. */
async function comparable(
  { header }: Snapshot,
  { active, say }: GateOptions,
): Promise<Snapshot | undefined> {
  const previous = await active;
  if (previous.kind === 'unreadable' || previous.kind === 'away') {
    say(`  not compared with the active snapshot: ${previous.message}`);
  }
  if (previous.kind !== 'snapshot') return undefined;
  const { snapshotId, demonstration } = previous.snapshot.header;
  return snapshotId === header.snapshotId || demonstration !== header.demonstration
    ? undefined
    : previous.snapshot;
}

function summaryOf(figures: Figures, before: Figures | undefined): readonly string[] {
  const beside = (name: 'stations' | 'current' | 'rows'): string => {
    const now = figures[name];
    if (before === undefined) return String(now);
    return `${now} (${now < before[name] ? '' : '+'}${now - before[name]})`;
  };
  const newest = figures.newestMs === undefined ? 'no hour' : utcDateTime(figures.newestMs);
  const more = figures.ranges.size - COMPONENTS_MAX;
  return [
    `  stations            ${beside('stations')}, with coordinates ${figures.located}`,
    `  in the newest hour  ${beside('current')}, ${newest}`,
    `  rows of 30 days     ${beside('rows')}`,
    ...[...figures.ranges]
      .slice(0, COMPONENTS_MAX)
      .map(([code, { least, most }]) => `  ${code.padEnd(18)}  ${least} to ${most}`),
    ...(more > 0 ? [`  and ${more} components more`] : []),
  ];
}
