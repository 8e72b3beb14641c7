/** Formats times, numbers and sizes for people, in one language. */
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { localeOf, type Language } from '../../texts/texts.js';
import { timeValue } from '../../views/pages/prose.js';

export type Formats = ReturnType<typeof formatsOf>;

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function formatsOf(language: Language, timeZone: string) {
  const locale = localeOf(language);
  const number = new Intl.NumberFormat(locale);
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const moment = new Intl.DateTimeFormat(locale, {
    ...day,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  });
  const date = new Intl.DateTimeFormat(locale, { ...day, timeZone: 'UTC' });
  return {
    number: (value: number) => number.format(value),
    size: (bytes: number) => sizeIn(locale, bytes),
    moment: (epochMs: number) => timeValue(moment.format(epochMs), utcDateTime(epochMs)),
    day: (text: string) => date.format(Date.parse(`${text}T00:00:00Z`)),
  };
}

/** A size in the decimal unit that gives one to three digits before the decimal separator. */
function sizeIn(locale: string, bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  }).format(bytes / 1000 ** power);
}
