/** Exports of two fictitious agencies in their own layouts, and the rows in them. */
import exceljs from 'exceljs';
import iconv from 'iconv-lite';

const HOUR_MS = 3_600_000;

export interface Reading {
  readonly station: string;
  readonly component: string;
  /** Start of the hour in epoch milliseconds. */
  readonly hourMs: number;
  /** Undefined where the export marks it as missing. */
  readonly value: number | undefined;
}

interface Agency {
  readonly name: string;
  readonly encoding: string;
  /** Writes an export of `hours` hours from an instant on: contents by name, in the agency's encoding. */
  readonly write: (
    fromMs: number,
    hours: number,
  ) => Promise<{ files: ReadonlyMap<string, Buffer>; readings: readonly Reading[] }>;
}

function local(epochMs: number, timeZone: string): { date: readonly string[]; hour: number } {
  const [date = '', time = ''] = new Date(epochMs).toLocaleString('sv-SE', { timeZone }).split(' ');
  return { date: date.split('-'), hour: Number(time.slice(0, 2)) };
}

function valueOf(hourMs: number, series: number): number {
  const hour = hourMs / HOUR_MS;
  return Math.round(100 * (20 + series * 7 + 9 * Math.sin(hour / 5 + series) + (hour % 7))) / 100;
}

const COAST_STATIONS = [
  ['RI1', 'Rijeka, Čavle', `45°21'14,2"N`, `14°28'59,9"E`, '340'],
  ['ZD2', 'Zadar-Višnjik', `44°06'48,0"N`, `15°14'33,0"E`, '22'],
  ['ST3', 'Split, Đardin', `43°30'30,6"N`, `16°26'42,0"E`, '8'],
] as const;

/** Windows-1250, semicolons, decimal commas; one file per station, local hours 1 to 24, one column per component. */
const coast: Agency = {
  name: 'coast',
  encoding: 'windows-1250',
  write(fromMs, hours) {
    const readings: Reading[] = [];
    const header = 'Šifra postaje;Naziv postaje;Širina;Dužina;Nadmorska visina';
    const stations = [header, ...COAST_STATIONS.map((one) => one.join(';'))];
    const files = new Map([['popis postaja.csv', encoded(stations, 'windows-1250')]]);
    for (const [at, [station]] of COAST_STATIONS.entries()) {
      const lines = ['Datum;Sat;NO2 (µg/m3);PM10 (µg/m3)'];
      for (let hour = 0; hour < hours; hour += 1) {
        const hourMs = fromMs + hour * HOUR_MS;
        const time = local(hourMs, 'Europe/Zagreb');
        const cells = (['NO2', 'PM10'] as const).map((component, column) => {
          const isMissing = (hour + at) % 17 === 3;
          const value = valueOf(hourMs, at * 2 + column);
          readings.push({ station, component, hourMs, value: isMissing ? undefined : value });
          return isMissing ? '-999' : String(value).replace('.', ',');
        });
        lines.push([time.date.toReversed().join('.'), time.hour + 1, ...cells].join(';'));
      }
      files.set(`${station}_2025.csv`, encoded(lines, 'windows-1250'));
    }
    return Promise.resolve({ files, readings });
  },
};

const PLAIN_STATIONS = [
  ['047001', 'Peñafiel', 'Calle del Río, 3', 404_800, 4_606_900, 'fondo urbano'],
  ['047002', 'Íscar', 'Plaza Mayor', 371_000, 4_580_300, 'tráfico'],
  ['047003', 'Medina', 'Camino viejo', 332_100, 4_574_500, 'industrial'],
] as const;

/** A workbook of stations in UTM; values in Windows-1252, one per row, local hours 0 to 23, leading zeros, a state. */
const plain: Agency = {
  name: 'plain',
  encoding: 'windows-1252',
  async write(fromMs, hours) {
    const workbook = new exceljs.Workbook();
    const sheet = workbook.addWorksheet('Estaciones');
    sheet.addRow(['Código', 'Nombre', 'Dirección', 'UTM X', 'UTM Y', 'Tipo estación']);
    for (const station of PLAIN_STATIONS) sheet.addRow(station);
    const readings: Reading[] = [];
    const lines = ['Estación;Fecha;Hora;Contaminante;Valor;Unidad;Estado'];
    for (let hour = 0; hour < hours; hour += 1) {
      const hourMs = fromMs + hour * HOUR_MS;
      const { date, hour: ofDay } = local(hourMs, 'Europe/Madrid');
      for (const [at, [station]] of PLAIN_STATIONS.entries()) {
        for (const [column, component] of ['NO2', 'O3', 'SO2'].entries()) {
          const series = at * 3 + column;
          const state = (hour + series) % 19 === 5 ? 'N' : (hour + series) % 5 === 1 ? 'T' : 'V';
          const isMissing = (hour + series) % 23 === 2;
          const value = valueOf(hourMs, series);
          const isValue = state !== 'N' && !isMissing;
          readings.push({ station, component, hourMs, value: isValue ? value : undefined });
          const cells = [component, isMissing ? '-9999' : value, 'µg/m³', state];
          lines.push([station, date.toReversed().join('/'), `${ofDay}`, ...cells].join(';'));
        }
      }
    }
    const files = new Map([
      ['estaciones.xlsx', Buffer.from(await workbook.xlsx.writeBuffer())],
      ['datos_horarios.csv', encoded(lines, 'windows-1252')],
    ]);
    return { files, readings };
  },
};

function encoded(lines: readonly string[], encoding: string): Buffer {
  return iconv.encode(`${lines.join('\r\n')}\r\n`, encoding);
}

export const AGENCIES: readonly Agency[] = [coast, plain];
