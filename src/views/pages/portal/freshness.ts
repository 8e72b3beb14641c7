/** The age of the data on the portal, with a warning or the notice of a demonstration. */
import { HOUR_MS, windowHours } from '../../../snapshot/domain/windows.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import { AGE_HOURS_MAX, OLD_HOURS } from '../page.js';
import type { Wording } from './context.js';
import type { Portal } from './portal-model.js';

interface FreshnessContext extends Wording {
  readonly portal: Portal;
  /** The newest hour with a value of the component. */
  readonly newest: number | undefined;
  readonly ageHours: number;
}

export function freshnessOf(context: FreshnessContext) {
  const { portal, newest, ageHours, format } = context;
  // The date is left out on the day of the snapshot, unless the snapshot is a day old or older.
  const near = ageHours < OLD_HOURS ? portal.header.generatedAtMs : undefined;
  return {
    measuredUntil: newest === undefined ? undefined : format.moment((newest + 1) * HOUR_MS, near),
    published: format.fullMoment(portal.header.generatedAtMs),
    age: ageOf(context),
    ...noticeOf(context),
  };
}

/** The notice of a portal without a snapshot. */
export function unavailable(texts: Messages) {
  return { heading: texts('unavailable'), text: texts('unavailable-more') };
}

type NoticeContext = Omit<FreshnessContext, 'newest'>;

/** The notice of a demonstration, else a warning of old data: a demonstration needs no warning. */
export function noticeOf(context: NoticeContext) {
  const { ageHours, texts } = context;
  const demonstration = demonstrationNotice(context);
  if (demonstration !== undefined) return { demonstration };
  return { warning: ageHours >= OLD_HOURS ? texts('old', { age: ageOf(context) }) : undefined };
}

/** The notice of a demonstration; undefined for other data. */
export function demonstrationNotice({ portal, texts, format }: Omit<NoticeContext, 'ageHours'>) {
  const { header } = portal;
  if (header.demonstration !== true) return undefined;
  // The days that have hours in the snapshot.
  const { from, to } = windowHours('30d', header);
  return texts('demonstration', { period: format.period(from * HOUR_MS, (to - 1) * HOUR_MS) });
}

function ageOf({ ageHours, texts, format }: NoticeContext): string {
  if (ageHours === 0) return texts('just-now');
  return ageHours >= AGE_HOURS_MAX ? texts('month-ago') : format.age(ageHours);
}
