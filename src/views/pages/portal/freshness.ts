/** How new the data on the portal are: until when they were measured, and whether that is an alarm or a demonstration. */
import type { SnapshotHeader } from '../../../snapshot/domain/model.js';
import { HOUR_MS, windowHours } from '../../../snapshot/domain/windows.js';
import type { Messages } from '../../../texts/messages.js';
import { AGE_HOURS_MAX } from '../page.js';
import type { Formatters } from './formatters.js';
import { maxOf, type Portal } from './portal-model.js';
import type { StationRow } from './stations.js';

interface FreshnessContext {
  readonly portal: Portal;
  readonly rows: readonly StationRow[];
  readonly ageHours: number;
  readonly texts: Messages;
  readonly format: Formatters;
}

/** Age from which the page warns that data are old: one refresh period of a daily snapshot. */
const OLD_HOURS = 24;

/** Template context of the line above the map. */
export function freshnessOf(context: FreshnessContext) {
  const { portal, rows, ageHours, texts, format } = context;
  const { generatedAtMs, demonstration = false } = portal.header;
  const hours = rows.flatMap(({ current }) => current?.hour ?? []);
  const age =
    ageHours === 0
      ? texts('just-now')
      : ageHours >= AGE_HOURS_MAX
        ? texts('month-ago')
        : format.age(ageHours);
  return {
    measuredUntil:
      hours.length === 0
        ? undefined
        : format.moment((maxOf(hours) + 1) * HOUR_MS, dayOfMaking(context)),
    published: format.fullMoment(generatedAtMs),
    age,
    // A demonstration is of a past time on purpose: how old it is alarms nobody.
    demonstration: demonstration
      ? texts('demonstration', { period: periodOf(portal.header, format) })
      : undefined,
    warning: !demonstration && ageHours >= OLD_HOURS ? texts('old', { age }) : undefined,
  };
}

/** Of times of the day on which the snapshot was made the time is enough, unless that was long ago. */
export function dayOfMaking({
  portal,
  ageHours,
}: Pick<FreshnessContext, 'portal' | 'ageHours'>): number | undefined {
  return ageHours < OLD_HOURS ? portal.header.generatedAtMs : undefined;
}

/** The days that the snapshot holds hours of. */
function periodOf({ generatedAtMs }: SnapshotHeader, format: Formatters): string {
  const { from, to } = windowHours('30d', generatedAtMs);
  return format.period(from * HOUR_MS, (to - 1) * HOUR_MS);
}
