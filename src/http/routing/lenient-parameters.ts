/** Parameters of pages, which refuse nothing: unknown values count as absent. */
import { listItems } from '../../snapshot/domain/selection.js';
import { HOUR_MS, parseDateTime } from '../../snapshot/domain/windows.js';
import { CHART_SIZE, type Comparison } from '../../views/pages/page.js';
import type { Example, Parameter } from './parameter.js';
import { inQuery, isInteger } from './parameters.js';

/** A text of a closed set, or absent. */
export function anyOf<const T extends string>(
  choices: readonly T[],
  example?: Example,
): Parameter<T | undefined> {
  return inQuery({
    example,
    // Not an enum: no value is refused.
    schema: { type: 'string' },
    parse: (text) => ({ ok: true, value: choices.find((choice) => choice === text) }),
  });
}

/** An identifier, or absent. */
export function anyId(example?: Example): Parameter<number | undefined> {
  return inQuery({
    example,
    // No value is refused.
    schema: { type: ['integer', 'string'] },
    parse: (text) => ({ ok: true, value: isInteger(text) ? Number(text) : undefined }),
  });
}

/** `compare`: ids of stations, or of components after a `c`. Stations win over components; other texts are ignored. */
export function anyComparison(example?: Example): Parameter<Comparison | undefined> {
  return inQuery({
    example,
    // The schema describes a repeated parameter, in which a list with commas is one item.
    schema: { type: 'array', items: { type: 'string' } },
    parse(text, query) {
      const items = (query?.get('compare') ?? [text]).flatMap(listItems);
      const stations = items.filter(isInteger).map(Number);
      const components = items.flatMap((item) => {
        const id = item.slice(1);
        return item.startsWith('c') && isInteger(id) ? [Number(id)] : [];
      });
      const value = [
        { of: 'stations', ids: stations } as const,
        { of: 'components', ids: components } as const,
      ].find(({ ids }) => ids.length > 0);
      return { ok: true, value };
    },
  });
}

/** A size in pixels, clamped to the allowed range; `fallback` for a text that is not a whole number. */
export function anySize(fallback: number, example?: Example): Parameter<number> {
  const { min, max } = CHART_SIZE;
  return inQuery({
    example,
    absent: fallback,
    // No value is refused.
    schema: { type: ['integer', 'string'], default: fallback },
    parse(text) {
      const value = isInteger(text) ? Math.min(Math.max(Number(text), min), max) : fallback;
      return { ok: true, value };
    },
  });
}

/** An ISO 8601 date-time in hours since the epoch, UTC; `shownHour` and `fixedHours` accept those of the snapshot. */
export function anyHour(example?: Example): Parameter<number | undefined> {
  return inQuery({
    example,
    schema: { type: 'string' },
    parse(text) {
      const hour = (parseDateTime(text) ?? NaN) / HOUR_MS;
      return { ok: true, value: Number.isNaN(hour) ? undefined : hour };
    },
  });
}

/** Free text, trimmed, then cut to `length` characters; empty when missing. */
export function anyText(length: number, example?: Example): Parameter<string> {
  return inQuery({
    example,
    absent: '',
    schema: { type: 'string' },
    // Cuts between characters: half of a surrogate pair is not text.
    parse: (text) => ({
      ok: true,
      value: Array.from(text.trim().slice(0, 2 * length))
        .slice(0, length)
        .join(''),
    }),
  });
}
