/** Preloaded (`node --import URL?ms=N`): the wall clock of this process is that many milliseconds ahead. */
const shiftMs = Number(new URL(import.meta.url).searchParams.get('ms'));

const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...parameters: readonly unknown[]) {
    super(...((parameters.length === 0 ? [ShiftedDate.now()] : parameters) as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
