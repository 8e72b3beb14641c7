/** The station and the component of a page of years, which the snapshot may lack. */
import type { DailyRow } from '../../views/hvd/archive.js';
import {
  rankedComponent,
  type Portal,
  type PortalComponent,
  type PortalStation,
} from '../../views/pages/portal/portal-model.js';
import type { YearsState } from './years.js';

type Station = Pick<PortalStation, 'id' | 'name'>;

export interface ArchivedYears {
  /** The archive's stations that the snapshot lacks. */
  readonly ended: readonly Station[];
  /** Years of the archive, descending. */
  readonly years: readonly number[];
  /** Days of the shown year, or all months; empty without a value. */
  readonly rows: readonly DailyRow[];
  /** Codes of the station's components in the archive, without directions. */
  readonly codes: ReadonlySet<string>;
}

/**
 * The station and component of a page, by default the first station of the component. Undefined for an unknown station,
 * and if all components are directions.
 */
export function yearsSeries(
  portal: Portal,
  { stationId, componentId, parameterCode }: YearsState,
  { ended }: Pick<ArchivedYears, 'ended'>,
) {
  const { stations } = portal;
  const first = rankedComponent(portal, componentId);
  const current =
    stationId === undefined
      ? (stations.find(({ componentIds }) => first && componentIds.includes(first.id)) ??
        stations[0])
      : stations.find(({ id }) => id === stationId);
  const known = current ? rankedComponent(portal, componentId, current) : first;
  const component = parameterCode === undefined ? known : endedComponent(parameterCode);
  const station: Station | undefined = current ?? ended.find(({ id }) => id === stationId);
  return station && component && { portal, station, current, component };
}

/** A component that the snapshot lacks: its days have units. */
export function endedComponent(code: string): PortalComponent {
  return { id: NaN, code, unit: '', name: undefined };
}
