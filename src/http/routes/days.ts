/** Days and months of the network's clock, as CSV or JSON (docs/http-api/files.md, "Days and months"). */
import { createPeriods, monthOf, startOfMonth } from '../../snapshot/domain/days.js';
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { selectionOf } from '../../snapshot/domain/selection.js';
import { hourFrom, retainedHours } from '../../snapshot/domain/windows.js';
import { createZoneClock, DAY_MS } from '../../snapshot/domain/zone-clock.js';
import { PERIOD_FORMATS, type Period } from '../../views/hvd/archive.js';
import type { SchemaName } from '../../views/openapi/schemas.js';
import { json, text } from '../openapi/operation.js';
import {
  endpoint,
  refuse,
  type Endpoint,
  type RequestContext,
  type Source,
} from '../routing/endpoint.js';
import type { Parameter, Refusal, Values } from '../routing/parameter.js';
import { oneOf, optional, optionalDateTime } from '../routing/parameters.js';
import { CSV_TYPE, fileFields } from '../semantics/common-headers.js';
import { seriesSelection } from './selection-parameters.js';

export const periodSelection = {
  from: optionalDay(optionalDateTime('invalid_from', '2026-02-01')),
  to: optionalDay(optionalDateTime('invalid_to', '2026-03-01')),
  ...seriesSelection,
  format: optional(oneOf(PERIOD_FORMATS, 'json')),
};
type PeriodValues = Values<typeof periodSelection>;

export const DAYS: readonly Endpoint[] = [
  periods('daily', 'listDailyValues', 'Days'),
  periods('monthly', 'listMonthlyValues', 'Months'),
];

function periods(period: Period, id: string, schema: SchemaName): Endpoint {
  return endpoint({
    path: `/api/v1/${period}.csv`,
    dependsOn: ['archive'],
    parameters: periodSelection,
    operation: {
      id,
      tag: 'HVD data',
      content: [text('text/csv'), ...json(schema)],
      headers: ['X-Record-Count', 'Content-Disposition'],
      refusals: ['too_many_rows', 'busy', 'archive_unavailable'],
    },
    resolve: (values, context) => answerOf(period, values, context),
  });
}

/** A day of the network's clock for a date; for a date-time, the first day that begins then or later. */
function optionalDay(
  time: Parameter<number | undefined>,
): Parameter<{ readonly epochMs: number; readonly isDate: boolean } | undefined> {
  return {
    ...time,
    absent: undefined,
    parse(text) {
      const parsed = time.parse(text);
      if (!parsed.ok || parsed.value === undefined) return { ...parsed, value: undefined };
      const isDate = text.trim().length === 'YYYY-MM-DD'.length;
      return { ok: true, value: { epochMs: parsed.value, isDate } };
    },
  };
}

/** Recent days or months from the snapshot, earlier ones from files of the archive. */
function answerOf(
  period: Period,
  values: PeriodValues,
  { state, header }: Pick<RequestContext, 'state'> & { readonly header: SnapshotHeader },
): Extract<Source, { kind: 'rendered' }> | Refusal {
  const { pages, served } = state;
  const { timeZone } = pages.site;
  const days = daysOf(period, values, { header, timeZone });
  const lastOlder = Math.min(days.to, days.recentFrom) - 1;
  const older = days.from > lastOlder ? 'none' : state.archive;
  const files = typeof older === 'object' ? older : undefined;
  const archive = files?.periods(period, yearOf(days.from), yearOf(lastOlder));
  if (archive === undefined && older !== 'none') return refuse('archive_unavailable');
  const known = new Set(served?.parameterCodes);
  for (const { parameterCodes } of archive?.files ?? []) {
    for (const code of parameterCodes) known.add(code);
  }
  for (const code of served?.hidden.parameterCodes ?? []) known.delete(code);
  const { format = 'csv' } = values;
  const selection = selectionOf(values, known);
  const parameters = selection.parameterCodes?.length ?? known.size;
  const task = { period, format, selection, parameters, ...days, timeZone, archive };
  const digests = files ? [files.digest.slice(0, 16)] : [];
  const type = format === 'csv' ? CSV_TYPE : 'application/json';
  return {
    kind: 'rendered',
    job: { kind: 'plan-daily', task },
    fields: fileFields(type, `${period}-${header.snapshotId}.${format}`),
    variant: [pages.digest, ...digests].join('-'),
    onFailure: (error) => {
      if (archive) files?.onFailure(error, archive);
    },
  };
}

/** Requested days since the epoch, `[from, to)`, and the first one of the snapshot; of months, their first days. */
function daysOf(
  period: Period,
  { from, to }: Pick<PeriodValues, 'from' | 'to'>,
  { header, timeZone }: { readonly header: SnapshotHeader; readonly timeZone: string },
) {
  const clock = createZoneClock(timeZone);
  const { dayFrom } = createPeriods(clock);
  const hours = retainedHours(header);
  const monthAfter = (day: number, months: number) => startOfMonth(monthOf(day) + months);
  /** The first period that begins on a day or later. */
  const startFrom = (day: number): number =>
    period === 'daily' || monthAfter(day, 0) === day ? day : monthAfter(day, 1);
  const startOf = ({ epochMs, isDate }: NonNullable<PeriodValues['from']>): number =>
    startFrom(isDate ? epochMs / DAY_MS : dayFrom(hourFrom(epochMs, header)));
  const newestEnd = startFrom(clock.local(hours.to - 1).day + 1);
  const end = to === undefined ? newestEnd : startOf(to);
  const last = Math.min(end, newestEnd);
  const start = period === 'daily' ? last - 30 : monthAfter(last, -12);
  return {
    from: from === undefined ? start : startOf(from),
    to: end,
    recentFrom: startFrom(dayFrom(hours.from)),
  };
}

function yearOf(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}
