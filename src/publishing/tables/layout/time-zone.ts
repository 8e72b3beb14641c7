/** Local times of a time zone → instants, by what `Intl` knows of the zone. */

const DAY_MS = 86_400_000;

const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

export class TimeZone {
  readonly #format: Intl.DateTimeFormat;

  /** `name`: an IANA name. @throws {RangeError} for one that is not known. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** Milliseconds that local time is ahead of UTC at an instant. */
  offsetMs(epochMs: number): number {
    const parts = this.#format.formatToParts(epochMs);
    const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(text) ?? [];
    const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -offset : offset;
  }

  /**
   * The instants at which clocks showed a local time, ascending: none where they were put forward over it, two where
   * they were put back over it. `localMs` is the local time as if it were UTC.
   */
  instantsOf(localMs: number): readonly number[] {
    // Clocks change once in two days at the most, so each answer has one of these offsets. Where both fit, clocks were
    // put back: the offset before that is the greater one, and its instant the earlier one.
    const offsets = new Set([this.offsetMs(localMs - DAY_MS), this.offsetMs(localMs + DAY_MS)]);
    return [...offsets]
      .map((offset) => localMs - offset)
      .filter((epochMs) => this.offsetMs(epochMs) === localMs - epochMs);
  }
}
