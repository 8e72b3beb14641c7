/** What a workbook of one station says: its values in local time, and where they come from. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { messagesOf } from '../../../texts/texts.js';
import type { PageStyle } from '../page.js';
import { creditOf } from './credit.js';
import { formattersFor } from './formatters.js';
import { demonstrationNotice } from './freshness.js';
import { orderedComponents, type Portal, type StationDetail } from './portal-model.js';
import { nameOf } from './station-panel.js';
import { prettyUnit } from './notation.js';

export interface StationWorkbook {
  readonly values: {
    readonly sheet: string;
    /** Of the time, of its offset from UTC, and of each component with its unit. */
    readonly columns: readonly string[];
    /** A row for each hour of the period, ascending. */
    readonly rows: readonly {
      /** What the clock shows when the hour begins, as milliseconds that a clock at UTC would show so. */
      readonly shownMs: number;
      /** `+02:00` */
      readonly offset: string;
      /** In the order of the columns; null without a value. */
      readonly values: readonly (number | null)[];
    }[];
  };
  readonly about: {
    readonly sheet: string;
    readonly rows: readonly (readonly [name: string, text: string])[];
  };
  readonly chart: { readonly sheet: string };
}

/** @param detail over the period of the workbook. */
export function viewWorkbook(
  portal: Portal,
  { station, interval, series }: StationDetail,
  { style, timeZone }: { readonly style: PageStyle; readonly timeZone: string },
): StationWorkbook {
  const texts = messagesOf(style.language, 'portal');
  const format = formattersFor(style.language, timeZone);
  const order = orderedComponents(portal).map(({ id }) => id);
  const columns = series
    .toSorted((a, b) => order.indexOf(a.component.id) - order.indexOf(b.component.id))
    .map(({ component, points }) => {
      const { label, description = label } = nameOf(component, texts);
      const unit = prettyUnit(component.unit);
      const values = new Map(points.map(({ hour, value }) => [hour, value]));
      return { label: unit === '' ? label : `${label} (${unit})`, description, values };
    });
  const hours = interval.to - interval.from;
  const notice = demonstrationNotice({ portal, texts, format });
  const about: readonly (readonly [string, string | undefined])[] = [
    [texts('column-station'), station.name],
    [texts('workbook-code'), station.code],
    [texts('workbook-municipality'), station.municipality],
    [texts('workbook-address'), station.address],
    [
      texts('workbook-position'),
      station.position && `${station.position.latitude}, ${station.position.longitude}`,
    ],
    [texts('pick-window'), format.period(interval.from * HOUR_MS, (interval.to - 1) * HOUR_MS)],
    [texts('workbook-times'), texts('workbook-times-more', { zone: timeZone })],
    [texts('preliminary'), notice ?? texts('hourly')],
    [texts('workbook-source'), creditOf(portal, style.language, format)[0]],
    ...columns.map(
      ({ label, description, values }) =>
        [
          label,
          `${description}; ${texts('workbook-hours', { count: values.size, hours })}`,
        ] as const,
    ),
  ];
  return {
    values: {
      sheet: texts('workbook-values'),
      columns: [
        texts('table-time'),
        texts('workbook-offset'),
        ...columns.map(({ label }) => label),
      ],
      rows: Array.from({ length: hours }, (_, index) => {
        const epochMs = (interval.from + index) * HOUR_MS;
        return {
          shownMs: format.shownMs(epochMs),
          offset: offsetText(format.offsetMs(epochMs)),
          values: columns.map(({ values }) => values.get(interval.from + index) ?? null),
        };
      }),
    },
    about: {
      sheet: texts('workbook-about'),
      rows: about.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
    },
    chart: { sheet: texts('workbook-chart') },
  };
}

/** `+02:00`, as ISO 8601 has it. */
function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / 60_000;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${offsetMs < 0 ? '-' : '+'}${hour}:${minute}`;
}
