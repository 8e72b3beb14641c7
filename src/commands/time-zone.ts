/** The clock of pages, days and months. */
import { DEFAULT_ZONE, type Settings } from '../settings.js';
import { TEXTS_COPY } from '../texts/text-files.js';

/** `TIME_ZONE`, else the member of `operator.json`. @param fallback IANA name without either. */
export async function timeZoneOf(
  { timeZone, textsDir = '' }: Settings,
  fallback = DEFAULT_ZONE,
): Promise<string> {
  // `serve` has set it to a copy.
  process.env[TEXTS_COPY] ??= textsDir;
  const { statedOperator } = await import('../texts/operator.js');
  return timeZone ?? statedOperator()?.time_zone ?? fallback;
}
