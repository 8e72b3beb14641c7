/** Times in the addresses of pages: whole hours, moved to those around what the snapshot has, so that there are only so many states. */
import { WINDOWS } from '../../../snapshot/domain/model.js';
import { retainedHours, type HourInterval } from '../../../snapshot/domain/windows.js';
import { DEFAULT_WINDOW, type Period } from '../../../views/pages/page.js';
import type { Context } from '../../routing/endpoint.js';
import { anyHour, anyOf } from '../../routing/lenient-parameters.js';

/** As long as a day is that has just begun: a link to the whole of it keeps its end. */
const AFTER = 25;

export const fixedPeriod = {
  from: anyHour('2026-02-04T23:00Z'),
  to: anyHour('2026-02-05T23:00Z'),
};

export const anyPeriod = {
  window: anyOf(WINDOWS, '1d'),
  ...fixedPeriod,
};

interface Hours {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Hours that the snapshot has not are moved to those next to it, which it has not either. */
export function fixedHours({ from, to }: Hours, context: Context): HourInterval | undefined {
  const held = heldHours(context);
  if (from === undefined || to === undefined || from >= to || held === undefined) return undefined;
  return {
    from: within(from, held.from - 2, held.to + AFTER),
    to: within(to, held.from - 1, held.to + AFTER + 1),
  };
}

export function shownPeriod(
  { window = DEFAULT_WINDOW, ...hours }: Hours & { readonly window: Period | undefined },
  context: Context,
): Period {
  return fixedHours(hours, context) ?? window;
}

export function shownHour(hour: number | undefined, context: Context): number | undefined {
  const held = heldHours(context);
  return hour === undefined || held === undefined
    ? undefined
    : within(hour, held.from - 1, held.to);
}

function heldHours({ state: { served } }: Context): HourInterval | undefined {
  return served && retainedHours(served.snapshot.reader.header.generatedAtMs);
}

function within(hour: number, least: number, most: number): number {
  return Math.min(Math.max(hour, least), most);
}
