/** The members of a row that mean something: a bit for each, so that a set of them is a number. */

export const STATION = 1;
export const COMPONENT = 2;
export const DATE = 4;
export const TIME = 8;
export const VALUE = 16;
export const PUBLISHED = 32;
export const UPDATED = 64;

/** A row is whole when the first five are there. */
export const WHOLE = 31;

/** The bit of any other member. */
export const ADDITIONAL = 0;

export const NAMES: readonly (readonly [number, string])[] = [
  [STATION, 'station_id'],
  [COMPONENT, 'component_id'],
  [DATE, 'date'],
  [TIME, 'time'],
  [VALUE, 'value'],
  [PUBLISHED, 'published_at_utc'],
  [UPDATED, 'updated_at_utc'],
];

export function memberBit(name: string): number {
  switch (name) {
    case 'station_id':
      return STATION;
    case 'component_id':
      return COMPONENT;
    case 'date':
      return DATE;
    case 'time':
      return TIME;
    case 'value':
      return VALUE;
    case 'published_at_utc':
      return PUBLISHED;
    case 'updated_at_utc':
      return UPDATED;
    default:
      return ADDITIONAL;
  }
}

export function memberName(bit: number): string {
  return NAMES.find(([one]) => one === bit)?.[1] ?? '';
}
