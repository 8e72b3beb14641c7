/** What the folders of `data/exports` hold, read by a few lines for each layout, without SQL and without any of our code. */
import type { Reading } from '../documents/agencies.js';

const HOUR_MS = 3_600_000;

export interface Layout {
  /** The folder in `data/exports`. */
  readonly folder: string;
  /** The script in `docs/exports` or `test/fixtures/exports`, without its ending. */
  readonly script: string;
  readonly encoding?: string;
  /** The file of measurements. */
  readonly file: string;
  /** As next month's file is called. */
  readonly next: string;
  /** Lines of it before its first row. */
  readonly header: number;
  readonly units: Readonly<Record<string, string>>;
  /** Of a station that is named as it names itself. */
  readonly station: string;
  readonly read: (lines: readonly string[]) => readonly Reading[];
}

/** The instants at which the clock of a zone shows a time such as `2022-10-30 02:00`, found by asking it at many. */
function instants(time: string, timeZone: string): readonly number[] {
  const near = Date.parse(`${time.replace(' ', 'T')}:00Z`);
  return Array.from({ length: 29 }, (_, hour) => near + (hour - 14) * HOUR_MS).filter(
    (one) => new Date(one).toLocaleString('sv-SE', { timeZone }).slice(0, 16) === time,
  );
}

/** A clock that is read row by row: the second time that a station has an hour is the second one. */
function clockOf(timeZone: string): (station: string, time: string) => number {
  const seen = new Map<string, number>();
  return (station, time) => {
    const nth = seen.get(station + time) ?? 0;
    seen.set(station + time, nth + 1);
    return instants(time, timeZone)[nth] ?? NaN;
  };
}

/** The start of the hour that ends at 1 to 24 o'clock, as a clock shows it. */
function startOf(day: string, end: string): string {
  return `${day} ${String(Number(end) - 1).padStart(2, '0')}:00`;
}

/** The day of `20/04/2019` or `20.04.2019`. */
function dayFirst(text: string): string {
  return text.split(/[./]/).reverse().join('-');
}

function numberOf(cell = '', none = ''): number | undefined {
  return cell === none || cell === '' ? undefined : Number(cell.replace(',', '.'));
}

function readGermany(lines: readonly string[]): readonly Reading[] {
  const at = clockOf('Europe/Berlin');
  return lines.slice(1).flatMap((line) => {
    const [station = '', label = '', ...values] = line.replaceAll(/["']/g, '').split(';');
    if (values.length < 3) return [];
    const [day = '', time = ''] = label.split(' ');
    const hourMs = at(station, startOf(day, time.slice(0, 2)));
    return ['PM10_24h', 'O3', 'NO2'].map((component, column) => {
      return { station, component, hourMs, value: numberOf(values[column], '-') };
    });
  });
}

function readBuenosAires(lines: readonly string[]): readonly Reading[] {
  const [titles = [], ...rows] = lines.map((line) => line.split(','));
  return rows.flatMap(([day = '', hour = '', ...values]) =>
    values.map((cell, column) => {
      const [, component = '', station = ''] =
        /^([a-z0-9]+)_(.*)$/.exec(titles[column + 2] ?? '') ?? [];
      // The clock is three hours behind UTC all the year.
      const hourMs = Date.parse(`${day}T00:00Z`) + (Number(hour) - 1 + 3) * HOUR_MS;
      return { station, component: component.toUpperCase(), hourMs, value: numberOf(cell, 's/d') };
    }),
  );
}

function readOstluft(lines: readonly string[]): readonly Reading[] {
  const rows = lines.map((line) => line.split(';'));
  const [station = '', components = [], units = []] = [rows[0]?.[1], rows[4], rows[7]];
  return rows.slice(10).flatMap(([time = '', ...values]) => {
    const [day = '', hour = ''] = time.split(' ');
    const hourMs = Date.parse(`${dayFirst(day)}T${hour}:00+01:00`);
    return values.flatMap((cell, column) =>
      /g\/m3$/.test(units[column + 1] ?? '')
        ? [{ station, component: components[column + 1] ?? '', hourMs, value: numberOf(cell) }]
        : [],
    );
  });
}

function readBrazil(lines: readonly string[]): readonly Reading[] {
  const station = lines[3]?.split(';')[1] ?? '';
  return lines.slice(9).flatMap((line) => {
    const [day = '', hour = '', ...values] = line.split(';');
    const hourMs = Date.parse(`${day.replaceAll('/', '-')}T${hour.slice(0, 2)}:00Z`);
    return ['RAIN', 'TEMP', 'WS'].map((component, column) => {
      return { station, component, hourMs, value: numberOf(values[column]) };
    });
  });
}

function readLondon(lines: readonly string[]): readonly Reading[] {
  return lines.slice(1).map((line) => {
    const [station = '', component = '', time = '', value, , status] = line.split(',');
    const [day = '', hour = ''] = time.split(' ');
    const hourMs = Date.parse(`${dayFirst(day)}T${hour}Z`);
    return { station, component, hourMs, value: status === 'X' ? undefined : numberOf(value) };
  });
}

function readOpenAq(lines: readonly string[]): readonly Reading[] {
  return lines.slice(1).map((line) => {
    const [, , station = '', , , component = '', , , value, end = ''] = line.split(';');
    return { station, component, hourMs: Date.parse(end) - HOUR_MS, value: numberOf(value) };
  });
}

function readParis(lines: readonly string[]): readonly Reading[] {
  const [titles = [], , ...rows] = lines.map((line) => line.split(';'));
  return rows.flatMap(([day = '', hour = '', ...values]) =>
    values.map((cell, column) => {
      const hourMs = Date.parse(`${dayFirst(day)}T00:00Z`) + (Number(hour) - 1) * HOUR_MS;
      const component = titles[column + 2] ?? '';
      return { station: 'PARIS1', component, hourMs, value: numberOf(cell, 'n/d') };
    }),
  );
}

const GERMANY = {
  script: 'uba',
  file: 'luftqualitaet_1140.csv',
  next: 'luftqualitaet_1141.csv',
  header: 1,
  units: { PM10_24h: 'µg/m³', O3: 'µg/m³', NO2: 'µg/m³' },
  station: 'Münster-Geist',
  read: readGermany,
} as const;

export const LAYOUTS: readonly Layout[] = [
  { ...GERMANY, folder: 'uba-as-downloaded' },
  { ...GERMANY, folder: 'uba-autumn' },
  { ...GERMANY, folder: 'uba-spring' },
  {
    folder: 'buenos-aires-crosstab',
    script: 'buenos-aires',
    file: 'calidad.csv',
    next: 'calidad-2019-05.csv',
    header: 1,
    units: { CO: 'ppm', NO2: 'ppb', PM10: 'µg/m³' },
    station: 'La Boca',
    read: readBuenosAires,
  },
  {
    folder: 'two-decimal-marks',
    script: 'two-decimal-marks',
    file: 'calidad.csv',
    next: 'calidad-2019-05.csv',
    header: 1,
    units: { CO: 'ppm' },
    station: 'Parque Centenario',
    read: ([, ...lines]) => readBuenosAires(['fecha,hora,co_centenario', ...lines]),
  },
  {
    folder: 'ostluft-stacked-header',
    script: 'ostluft',
    encoding: 'windows-1252',
    file: 'Zch_Stampfenbachstrasse_h1_2013_Jan.csv',
    next: 'Zch_Stampfenbachstrasse_h1_2013_Feb.csv',
    header: 10,
    units: { CO: 'mg/m3', NO: 'µg/m3', NO2: 'µg/m3', O3: 'µg/m3', PM10: 'µg/m3', SO2: 'µg/m3' },
    station: 'Zürich Stampfenbachstrasse',
    read: readOstluft,
  },
  {
    folder: 'inmet-hour',
    script: 'inmet',
    encoding: 'windows-1252',
    file: 'INMET_CO_DF_A001_BRASILIA_01-01-2026_A_31-05-2026.CSV',
    next: 'INMET_CO_DF_A001_BRASILIA_01-06-2026_A_30-06-2026.CSV',
    header: 9,
    units: { RAIN: 'mm', TEMP: '°C', WS: 'm/s' },
    station: 'BRASILIA',
    read: readBrazil,
  },
  {
    folder: 'laqn-valid-column-gone',
    script: 'laqn',
    file: 'LaqnData.csv',
    next: 'LaqnData (1).csv',
    header: 1,
    units: { NO2: 'µg/m³', O3: 'µg/m³', PM10: 'µg/m³' },
    station: 'Camden - Bloomsbury',
    read: readLondon,
  },
  {
    folder: 'openaq-unit-column',
    script: 'openaq',
    file: 'openaq.csv',
    next: 'openaq-2023-12.csv',
    header: 1,
    units: { PM10: 'µg/m³', NO2: 'µg/m³', CO: 'µg/m³' },
    station: 'Klaipeda',
    read: readOpenAq,
  },
  {
    folder: 'airparif-unit-row',
    script: 'airparif',
    file: 'airparif.csv',
    next: 'airparif-2017-09.csv',
    header: 2,
    units: { PM25: 'µg/m³', PM10: 'µg/m³', NO2: 'µg/m³', O3: 'µg/m³', CO: 'µg/m³' },
    station: 'Paris Centre',
    read: readParis,
  },
  {
    folder: 'names-windows-1251',
    script: 'windows-1251',
    encoding: 'windows-1251',
    file: 'values.csv',
    next: 'values-2026-12.csv',
    header: 1,
    units: { PM10: 'µg/m³' },
    station: 'Нови Сад - Лиман',
    read(lines) {
      const at = clockOf('Europe/Belgrade');
      return lines.slice(1).map((line) => {
        const [station = '', time = '', value] = line.split(',');
        return { station, component: 'PM10', hourMs: at(station, time), value: numberOf(value) };
      });
    },
  },
  {
    folder: 'names-encoding-flag',
    script: 'two-encodings',
    encoding: 'windows-1252',
    file: 'werte.csv',
    next: 'werte-2013-02.csv',
    header: 1,
    units: { NO2: 'µg/m³' },
    station: 'Zürich Stampfenbachstrasse',
    read: (lines) =>
      lines.slice(1).map((line) => {
        const [time = '', value] = line.split(';');
        const [day = '', hour = ''] = time.split(' ');
        const hourMs = Date.parse(`${dayFirst(day)}T${hour}:00+01:00`);
        return { station: 'Z1', component: 'NO2', hourMs, value: numberOf(value) };
      }),
  },
];
