/** Records of the first API: manifest, organizations, networks, stations, components. */
import type {
  Component,
  Network,
  Organization,
  SnapshotHeader,
  Station,
} from '../snapshot/domain/model.js';
import { utcDateTime } from '../snapshot/domain/windows.js';

/** Members for `JSON.stringify`, which omits undefined ones. */
type Members = Readonly<Record<string, unknown>>;

/** `GET /meta`: the manifest, with the document's counts (docs/http-api/answers.md, "Lengths and counts"). */
export function viewManifest(header: SnapshotHeader): Members {
  return {
    schema_version: header.schemaVersion,
    snapshot_id: header.snapshotId,
    generated_at: utcDateTime(header.generatedAtMs),
    supported_windows: header.supportedWindows,
    counts: { ...header.counts },
    demonstration: header.demonstration,
    hour_minute: header.hourMinute,
  };
}

export function viewOrganization(organization: Organization): Members {
  return {
    organization_id: organization.id,
    name: organization.name,
    short_name: organization.shortName,
    ...organization.additional,
  };
}

export function viewNetwork(network: Network): Members {
  return {
    network_id: network.id,
    network_code: network.code,
    name: network.name,
    short_name: network.shortName,
    ...network.additional,
  };
}

export function viewComponent(component: Component): Members {
  return {
    component_id: component.id,
    short_name: component.shortName,
    unit: component.unit,
    cas_number: component.casNumber,
    description: component.description,
    parameter_name: component.parameterName,
    ...component.additional,
  };
}

/** A station without internal members; absent members are omitted, not null. */
export function viewStation(station: Station): Members {
  return {
    station_id: station.id,
    station_name: station.name,
    station_code: station.code,
    organization_id: station.organizationId,
    network_id: station.networkId,
    city: station.city,
    municipality: station.municipality,
    latitude: station.latitude,
    longitude: station.longitude,
    station_type: station.stationType,
    elevation_m: station.elevationM,
    address: station.address,
    start_date: station.startDate,
    end_date: station.endDate,
    notes: station.notes,
    active: station.active,
    ...station.additional,
    // Last, so that an additional member of the same name has no effect.
    network_code: station.networkCode,
  };
}

/** `GET /{organization_id}/stations/{station_id}/meta`: the station with its public components, by id. */
export function viewStationMetadata(station: Station, components: readonly Component[]): Members {
  const ids = new Set(station.componentIds);
  const publicComponents = components.filter((component) => ids.has(component.id));
  return {
    ...viewStation(station),
    public_components: publicComponents.map(viewComponent),
  };
}
