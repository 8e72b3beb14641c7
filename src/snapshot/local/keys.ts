/** Keys of a local copy: names of prepared answers, the list of these names, and names of bulk files. */
import { crc32 } from 'node:zlib';
import type { Window } from '../domain/model.js';
import type { Coding } from './environment.js';

/** Names of prepared answers, built from validated integers only; a station's names begin with its organization. */
export const answerKey = {
  manifest: 'meta',
  organizations: 'organizations',
  networks: 'networks',
  stations: 'stations',
  components: 'components',
  hvdDescriptor: 'hvd/metadata',
  hvdParameters: 'hvd/parameters',
  bulkIndex: 'hvd/bulk',
  organizationStations: (organizationId: number): string => `${organizationId}/stations`,
  stationMetadata: (station: StationPath): string => stationKey(station, 'meta'),
  lastHour: (station: StationPath): string => stationKey(station, 'last_hour'),
  last24Hours: (station: StationPath): string => stationKey(station, 'last_24h'),
  timeSeries: (series: SeriesWindow): string =>
    stationKey(series, `${series.componentId}/${series.window}`),
} as const;

interface StationPath {
  readonly organizationId: number;
  readonly stationId: number;
}

export interface SeriesWindow extends StationPath {
  readonly componentId: number;
  readonly window: Window;
}

function stationKey({ organizationId, stationId }: StationPath, rest: string): string {
  return `${organizationId}/${stationId}/${rest}`;
}

export function bulkFileName(name: string, coding: Coding = 'identity'): string {
  return coding === 'gzip' ? `bulk/${name}.gz` : `bulk/${name}`;
}

/** Average number of names in a group. One group is read to decide whether an answer was ever stored. */
const GROUP_NAMES = 16;

/** The names of a new copy's answers, each with its content coding, as lines; grouped by their hash. */
export function groupNames(names: readonly string[]): readonly Uint8Array[] {
  const count = Math.max(1, Math.ceil(names.length / GROUP_NAMES));
  const groups = Array.from({ length: count }, (): string[] => []);
  for (const name of names) groups[groupOf(name, count)]?.push(name);
  return groups.map((group) => Buffer.from(`\n${group.join('\n')}\n`));
}

/**
 * Whether a complete copy's names include a name, which tells a lost answer from one that never existed.
 *
 * @param readGroup throws for a missing group: every group is stored, even an empty one.
 */
export function isNamed(
  name: string,
  groups: number,
  readGroup: (group: number) => Uint8Array,
): boolean {
  return Buffer.from(readGroup(groupOf(name, groups))).includes(`\n${name}\n`);
}

function groupOf(name: string, groups: number): number {
  return crc32(name) % groups;
}
