/** The header of a wide table: which column is what. Every column is mapped, ignored, the time or the station. */
import { shown, type Problems } from '../../../snapshot/document/problems.js';
import type { WideLayout } from './wide-layout.js';

interface ComponentColumn {
  readonly name: string;
  readonly position: number;
  readonly componentId: number;
}

export interface WideColumns {
  readonly time: number;
  /** `undefined` where the table has no such column. */
  readonly station: number | undefined;
  /** In the order of the table. */
  readonly components: readonly ComponentColumn[];
}

/**
 * Positions of the columns.
 *
 * @throws {DocumentError} naming every column that is missing, twice there, or neither mapped nor ignored.
 */
export function findColumns(
  header: readonly string[],
  options: {
    readonly fileName: string;
    readonly layout: WideLayout;
    readonly knownComponents: ReadonlySet<number>;
    readonly problems: Problems;
  },
): WideColumns {
  const { fileName, layout, knownComponents, problems } = options;
  const { timeColumn, stationColumn, components, ignoredColumns } = layout;
  const names = header.map((name) => name.trim());
  for (const [name, id] of components) {
    if (!knownComponents.has(id)) problems.add(`--map ${name}=${id}`, `no component has id ${id}`);
  }
  const own = [timeColumn, ...(stationColumn === undefined ? [] : [stationColumn])];
  for (const name of [...own, ...components.keys()]) {
    if (!names.includes(name)) {
      const columns = names.map((one) => shown(one)).join(', ');
      problems.add(fileName, `no column ${shown(name)}; there are ${columns || 'none'}`);
    }
  }
  names.forEach((name, index) => {
    if (ignoredColumns.includes(name)) return;
    const path = `${fileName}, line 1`;
    if (names.indexOf(name) < index) problems.add(path, `column ${shown(name)} is there twice`);
    else if (!own.includes(name) && !components.has(name)) {
      const column =
        name === '' ? `column ${index + 1}, which has no name,` : `column ${shown(name)}`;
      problems.add(path, `${column} is neither mapped nor ignored: say --map or --ignore`);
    }
  });
  problems.throwIfAny();
  return {
    time: names.indexOf(timeColumn),
    station: stationColumn === undefined ? undefined : names.indexOf(stationColumn),
    components: names.flatMap((name, position) => {
      const componentId = components.get(name);
      return componentId === undefined ? [] : [{ name, position, componentId }];
    }),
  };
}
