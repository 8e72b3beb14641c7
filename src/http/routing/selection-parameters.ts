/** Kinds of parameters that selections are written in: lists, and a position of several numbers. */
import { listItems } from '../../snapshot/domain/selection.js';
import {
  invalid,
  isBlank,
  parseDecimal,
  type About,
  type Parameter,
  type Texts,
} from './parameters.js';

/**
 * Of all repeats together, as commas separate them: which codes hold a comma only a snapshot knows. A request line of the
 * default length holds at the most 4,000.
 */
const LIST_MAX = 500;

/** Names of lists, each with the error of one that is too long. */
const TOO_MANY = {
  station_id: 'too_many_station_ids',
  parameter_code: 'too_many_parameter_codes',
} as const;

/**
 * Texts of a parameter that may be repeated and may hold lists with commas, trimmed; undefined where all are blank. They
 * are still to be split, since a code may hold a comma.
 */
export function optionalList(
  name: keyof typeof TOO_MANY,
  about: About,
): Parameter<readonly string[] | undefined> {
  return {
    ...about,
    in: 'query',
    required: false,
    error: TOO_MANY[name],
    // As it is written with repeats; with commas it is one item of this list.
    schema: { type: 'array', items: { type: 'string' } },
    parse(text, texts = () => (text === undefined ? [] : [text])) {
      const given: string[] = [];
      let values = 0;
      for (const one of texts(name)) {
        const trimmed = one.trim();
        if (trimmed === '') continue;
        given.push(trimmed);
        values += trimmed.includes(',') ? listItems(trimmed).length : 1;
      }
      if (values > LIST_MAX) return invalid('too_long', 'Input should have fewer values');
      return { ok: true, value: given.length === 0 ? undefined : given };
    },
  };
}

/** Latitude of a position, in degrees; there with `lon` or not at all. */
export function optionalLatitude(about: About): Parameter<number | undefined> {
  return position({ minimum: -90, maximum: 90, beside: 'lon' }, about);
}

/** Longitude of a position, in degrees; there with `lat` or not at all. */
export function optionalLongitude(about: About): Parameter<number | undefined> {
  return position({ minimum: -180, maximum: 180, beside: 'lat' }, about);
}

/** Distance from a position, in metres. */
export function optionalRadius(
  range: { readonly minimum: number; readonly maximum: number; readonly default: number },
  about: About,
): Parameter<number> {
  const { minimum, maximum } = range;
  const given = position({ minimum, maximum, beside: 'lat' }, about);
  return {
    ...about,
    in: 'query',
    required: false,
    error: 'invalid_position',
    schema: { type: 'number', ...range },
    parse(text, texts) {
      if (isBlank(text)) return { ok: true, value: range.default };
      const parsed = given.parse(text, texts);
      return parsed.ok ? { ok: true, value: parsed.value ?? range.default } : parsed;
    },
  };
}

function position(
  range: { readonly minimum: number; readonly maximum: number; readonly beside: 'lat' | 'lon' },
  about: About,
): Parameter<number | undefined> {
  const { minimum, maximum, beside } = range;
  return {
    ...about,
    in: 'query',
    required: false,
    error: 'invalid_position',
    schema: { type: 'number', minimum, maximum },
    parse(text, texts) {
      const isGiven = !isBlank(text);
      // A radius stands beside a latitude, and a latitude may stand without a radius.
      const isAlone = isGiven && isBlank(lastOf(texts, beside));
      if (isAlone) return invalid('position_parsing', 'Input should be a whole position');
      if (!isGiven) return { ok: true, value: undefined };
      const value = parseDecimal(text ?? '');
      if (value === undefined || value < minimum || value > maximum) {
        return invalid('position_parsing', 'Input should be a number in its range');
      }
      return { ok: true, value };
    },
  };
}

function lastOf(texts: Texts | undefined, name: string): string | undefined {
  return texts?.(name).at(-1);
}
