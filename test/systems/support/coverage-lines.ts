/** Values of CoverageJSON, read by covjson-reader, which `tools/test-prerequisites.mjs` fetches. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { fetchedPackage } from '../../../tools/system.mjs';

/** Objects of covjson-reader 0.16, as far as they are used here. */
interface Coverage {
  readonly id: string;
  readonly domainType: string;
  readonly parameters: ReadonlyMap<
    string,
    { readonly unit: { readonly symbol: { readonly value: string } } }
  >;
  loadDomain(): Promise<{
    readonly axes: ReadonlyMap<string, { readonly values: ArrayLike<number | string> }>;
  }>;
  loadRanges(): Promise<ReadonlyMap<string, { get(at: { readonly t: number }): number | null }>>;
}

interface Reader {
  read(document: unknown): Promise<{ readonly coverages: readonly Coverage[] }>;
}

// Scripts for browsers: the reader takes its library from the global object.
const SCRIPTS = [
  join(fetchedPackage('covutils@0.6.1'), 'covutils-lite.src.js'),
  join(fetchedPackage('covjson-reader@0.16.3'), 'covjson-reader.src.js'),
];

const global = createContext({ self: { fetch } });
for (const script of SCRIPTS) runInContext(await readFile(script, 'utf8'), global);
const reader = global['CovJSON'] as Reader;

/** A line for each value, in order: id of its coverage, longitude and latitude, parameter, unit, time, value. */
export async function coverageLines(document: unknown): Promise<readonly string[]> {
  const { coverages } = await reader.read(document);
  return (await Promise.all(coverages.map(linesOf))).flat().toSorted();
}

async function linesOf(coverage: Coverage): Promise<readonly string[]> {
  const { id, domainType, parameters } = coverage;
  if (!domainType.endsWith('#PointSeries')) throw new Error(domainType);
  const { axes } = await coverage.loadDomain();
  const valuesOf = (axis: string) => Array.from(axes.get(axis)?.values ?? []);
  const place = [...valuesOf('x'), ...valuesOf('y')].join();
  return [...(await coverage.loadRanges())].flatMap(([code, range]) => {
    const unit = parameters.get(code)?.unit.symbol.value;
    return valuesOf('t').flatMap((time, t) => {
      const value = range.get({ t });
      return value === null ? [] : [[id, place, code, unit, time, value].join(' ')];
    });
  });
}
