/** A part of the suite `faults`. */
import type { BenchOptions, Progress } from '../../options.js';
import type { SuiteResult } from '../../report.js';

export type Part = Pick<SuiteResult, 'tables' | 'criteria' | 'notes' | 'figures'>;

export type RunPart = (options: {
  readonly options: BenchOptions;
  /** Times are multiplied by it: 1 for figures that mean something, less for a look at whether the bench runs. */
  readonly scale: number;
  readonly progress: Progress;
}) => Promise<Part>;
