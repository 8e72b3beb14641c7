/** What `verify` and `publish` say of a document beside the active snapshot: a summary, and what looks like a mistake. */
import { figuresOf, findMistakes, type Figures } from '../../publishing/gates.js';
import { checkDocument } from '../../publishing/verify-document.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { SnapshotStore } from '../../snapshot/store/store.js';
import type { Flags } from '../command.js';

/** A summary has a line for each component, up to so many. */
const COMPONENTS_MAX = 16;

export interface JudgeOptions {
  /** Whose active snapshot it is compared with; undefined: with none. */
  readonly store: SnapshotStore | undefined;
  readonly flags: Flags;
  /** Takes a line for the operator. */
  readonly say: (line: string) => void;
}

/** A document that is refused for what it says, not for its form. */
class MistakeError extends Error {
  override readonly name = 'MistakeError';
}

/**
 * Says the summary, and what is allowed.
 *
 * @throws {MistakeError} with every finding that `--allow` does not name.
 */
export async function judge(
  snapshot: Snapshot,
  { store, flags, say }: JudgeOptions,
): Promise<void> {
  const active = store && (await readActive(store, snapshot).catch(uncompared(say)));
  for (const line of summaryOf(figuresOf(snapshot), active)) say(line);
  const allowed = new Set(Array.isArray(flags['allow']) ? flags['allow'] : []);
  const refused = findMistakes(snapshot, { active, nowMs: Date.now() }).filter(
    ({ gate, message }) => {
      if (allowed.has(gate)) say(`  allowed (${gate}): ${message}`);
      return !allowed.has(gate);
    },
  );
  if (refused.length === 0) return;
  const gates = [...new Set(refused.map(({ gate }) => gate))];
  const flag = gates.map((gate) => `--allow ${gate}`).join(' ');
  const found = refused.slice(0, 5).map(({ message }) => message);
  throw new MistakeError(`this looks like a mistake: ${found.join('; ')}. If it is none: ${flag}`);
}

/** A store whose active document cannot be read gets a new one all the same. */
function uncompared(say: (line: string) => void) {
  return (error: unknown): undefined => {
    if (!(error instanceof SnapshotError)) throw error;
    say(`  not compared with the active snapshot: ${error.message}`);
  };
}

/** The figures of the active snapshot; undefined where there is none, and beside a demonstration, which is of another network. */
async function readActive(store: SnapshotStore, snapshot: Snapshot): Promise<Figures | undefined> {
  const reading = await store.readPointer();
  if (reading.kind === 'absent' || reading.pointer.snapshotId === snapshot.header.snapshotId) {
    return undefined;
  }
  const { snapshotId } = reading.pointer;
  const bytes = await store.openDocument(reading.pointer);
  const { snapshot: active } = await checkDocument(bytes, { name: snapshotId });
  const isComparable = active.header.demonstration === snapshot.header.demonstration;
  return isComparable ? figuresOf(active) : undefined;
}

function summaryOf(figures: Figures, active: Figures | undefined): readonly string[] {
  const beside = (now: number, before: number | undefined): string =>
    before === undefined ? String(now) : `${now} (${now < before ? '' : '+'}${now - before})`;
  const { stations, located, rows, current, newestMs, ranges } = figures;
  const newest = newestMs === undefined ? 'no hour' : utcDateTime(newestMs);
  const more = ranges.size - COMPONENTS_MAX;
  return [
    `  stations            ${beside(stations, active?.stations)}, with coordinates ${located}`,
    `  in the newest hour  ${beside(current, active?.current)}, ${newest}`,
    `  rows of 30 days     ${beside(rows, active?.rows)}`,
    ...[...ranges]
      .slice(0, COMPONENTS_MAX)
      .map(([code, { least, most }]) => `  ${code.padEnd(18)}  ${least} to ${most}`),
    ...(more > 0 ? [`  and ${more} components more`] : []),
  ];
}
