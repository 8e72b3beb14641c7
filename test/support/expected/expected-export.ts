/** The columns of an export, in order. */
export const EXPORT_COLUMNS: readonly string[] = [
  ...['organization_id', 'organization_name', 'station_id', 'station_name', 'station_code'],
  ...['network_id', 'network_code', 'date', 'time'],
  ...['component_id', 'component_short_name', 'unit', 'value'],
];
