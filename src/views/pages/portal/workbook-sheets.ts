/** The sheets of a workbook: values of one station, or of compared ones, in local time, and their source. */
import { prettyUnit } from '../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import { messagesOf } from '../../../texts/texts.js';
import type { PageStyle } from '../page.js';
import { creditOf } from './credit.js';
import { formattersFor } from './formatters.js';
import { demonstrationNotice } from './freshness.js';
import type { ChartSeries, Portal, PortalStation, StationDetail } from './portal-model.js';
import { nameOf } from './notation.js';

export interface StationWorkbook {
  readonly values: {
    readonly sheet: string;
    /** Heads of time, UTC offset, and each component with its unit. */
    readonly columns: readonly string[];
    /** A row for each hour, ascending. */
    readonly rows: readonly {
      /** Local time at the start of the hour, as if it were UTC, in milliseconds. */
      readonly shownMs: number;
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

/** @param series of the same hours, in the order of the columns. */
export function viewWorkbook(
  portal: Portal,
  series: readonly ChartSeries[],
  {
    station: first,
    interval,
    style,
    timeZone,
  }: Pick<StationDetail, 'station' | 'interval'> & {
    readonly style: PageStyle;
    readonly timeZone: string;
  },
): StationWorkbook {
  const texts = messagesOf(style.language, 'portal');
  const format = formattersFor(style.language, timeZone);
  const stations = [...new Set([first, ...series.map(({ station }) => station)])];
  const columns = columnsOf(series, stations.length > 1, texts);
  const hours = interval.to - interval.from;
  const notice = demonstrationNotice({ portal, texts, format });
  const about: readonly (readonly [string, string | undefined])[] = [
    ...stations.flatMap((station) => factsOf(station, texts)),
    [texts('pick-window'), format.period(interval.from * HOUR_MS, (interval.to - 1) * HOUR_MS)],
    [texts('workbook-times'), texts('workbook-times-more', { zone: timeZone })],
    [texts('preliminary'), notice ?? texts('hourly')],
    [texts('workbook-source'), creditOf(portal, style.language, format)[0]],
    ...columns.map(({ label, description, values }) => {
      const counted = texts('workbook-hours', { count: values.size, hours });
      return [label, `${description}; ${counted}`] as const;
    }),
  ];
  return {
    values: {
      sheet: texts('workbook-values'),
      columns: [texts('table-time'), texts('workbook-offset'), ...columns.map((one) => one.label)],
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

/** @param isMany whether columns must name their station. */
function columnsOf(series: readonly ChartSeries[], isMany: boolean, texts: Messages) {
  return series.map(({ station, component, points }) => {
    const { label, description = label } = nameOf(component, texts);
    const unit = prettyUnit(component.unit);
    const values = new Map(points.map(({ hour, value }) => [hour, value]));
    const named = unit === '' ? label : `${label} (${unit})`;
    return { label: isMany ? `${station.name}: ${named}` : named, description, values };
  });
}

function factsOf(
  { name, code, municipality, address, position }: PortalStation,
  texts: Messages,
): readonly (readonly [string, string | undefined])[] {
  return [
    [texts('column-station'), name],
    [texts('workbook-code'), code],
    [texts('workbook-municipality'), municipality],
    [texts('workbook-address'), address],
    [texts('workbook-position'), position && `${position.latitude}, ${position.longitude}`],
  ];
}

/** `+02:00` (ISO 8601). */
function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / 60_000;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${offsetMs < 0 ? '-' : '+'}${hour}:${minute}`;
}
