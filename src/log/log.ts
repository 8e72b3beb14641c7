/** Log lines of the supervisor and its fronts: one JSON object per line, on stdout. */
import { pino } from 'pino';
import type { LineOutput } from './line-output.js';

/** Longest text value, in UTF-16 units: texts of clients and stores can have any length. */
const LONGEST_VALUE = 200;

export type Log = pino.Logger;

/** Lines have `time` (ISO 8601, UTC), `level`, `part`, `pid`, `msg` and plain values, texts cut at 200 characters. */
export function createLog(options: {
  readonly level: string;
  readonly part: string;
  readonly output: LineOutput;
}): Log {
  return pino(
    {
      level: options.level,
      base: { part: options.part, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: plainValues },
    },
    options.output,
  );
}

function plainValues(values: object): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (typeof value === 'string') {
      plain[name] = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE - 1)}…` : value;
    } else if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
      plain[name] = value;
    }
  }
  return plain;
}
