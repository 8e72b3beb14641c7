/**
 * Preloaded (`node --import URL?ms=N`): sets this process's wall clock ahead; with `&file=PATH`, only once that file
 * exists.
 */
import { existsSync } from 'node:fs';

const { searchParams } = new URL(import.meta.url);
const aheadMs = Number(searchParams.get('ms'));
const file = searchParams.get('file');

const RealDate = Date;

function shiftMs(): number {
  return file === null || existsSync(file) ? aheadMs : 0;
}

class ShiftedDate extends RealDate {
  constructor(...parameters: readonly unknown[]) {
    super(...((parameters.length === 0 ? [ShiftedDate.now()] : parameters) as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs();
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
