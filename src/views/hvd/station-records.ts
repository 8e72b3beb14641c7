/** HVD records of stations and parameters (docs/http-api/values.md, "HVD records"). */
import type {
  Component,
  Organization,
  SnapshotHeader,
  Station,
} from '../../snapshot/domain/model.js';
import { compareCodes } from '../../snapshot/domain/observation-order.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { AVERAGING_PERIOD, type ParameterRecord, type StationRecord } from './fields.js';

/** Records in the order of `stations`. @throws {RangeError} for an unlisted organization, which the import excludes. */
export function viewHvdStations(
  stations: readonly Station[],
  snapshot: {
    readonly header: SnapshotHeader;
    readonly organizations: readonly Organization[];
  },
): readonly StationRecord[] {
  const names = new Map(snapshot.organizations.map(({ id, name }) => [id, name]));
  const lastUpdatedUtc = utcDateTime(snapshot.header.generatedAtMs);
  return stations.map((station) => {
    const operator = names.get(station.organizationId);
    if (operator === undefined) throw new RangeError(`no organization ${station.organizationId}`);
    return {
      station_id: String(station.id),
      station_name: station.name,
      station_code: station.code,
      latitude: station.latitude ?? null,
      longitude: station.longitude ?? null,
      municipality: station.municipality ?? null,
      station_type: station.stationType ?? null,
      operator,
      active: station.active,
      last_updated_utc: lastUpdatedUtc,
      elevation_m: station.elevationM ?? null,
      address: station.address ?? null,
      start_date: station.startDate ?? null,
      end_date: station.endDate ?? null,
      notes: station.notes ?? null,
      network_id: station.networkId,
      network_code: station.networkCode,
    };
  });
}

/** Records of components, ascending by code (docs/http-api/values.md, "Order"), with null for unknown values. */
export function viewHvdParameters(components: readonly Component[]): readonly ParameterRecord[] {
  return components
    .map((component): ParameterRecord => ({
      parameter_code: component.shortName,
      parameter_name: component.parameterName ?? component.shortName,
      unit: component.unit,
      averaging_period: AVERAGING_PERIOD,
      cas_number: component.casNumber ?? null,
      description: component.description ?? null,
    }))
    .sort((a, b) => compareCodes(a.parameter_code, b.parameter_code));
}
