/** A snapshot for tests of views: stations with and without what they may lack, and names that try a format's quotes. */
import type {
  Component,
  Organization,
  SnapshotHeader,
  Station,
} from '../../../src/snapshot/domain/model.js';

export const header: SnapshotHeader = {
  schemaVersion: '1.2.0',
  snapshotId: '20260910T123000Z-test',
  generatedAtMs: Date.UTC(2026, 8, 10, 12, 30),
  supportedWindows: ['1h', '1d', '7d', '14d', '30d'],
  counts: { organizations: 2, networks: 1, stations: 4, components: 4, measurement_rows: 9 },
};

export const organizations: readonly Organization[] = [
  { id: 1, name: 'Agencija za zaštitu životne sredine', shortName: 'SEPA', additional: {} },
  { id: 2, name: 'Zavod "Čist vazduh", Niš | a_b', shortName: 'ZZJZ', additional: {} },
];

export const stations: readonly Station[] = [
  station(1, 'Kikinda Centar', {
    municipality: 'Kikinda',
    latitude: 45.821483,
    longitude: 20.454008,
    stationType: 'background',
    elevationM: 78,
    address: 'Svetosavska bb',
    startDate: '2008-02-29',
    endDate: '2025-12-31',
    notes: 'prva linija\r\ndruga "linija", kraj',
    active: false,
  }),
  station(2, '=SUM(1,2)', { organizationId: 2, latitude: -0.5, longitude: -70 }),
  station(36, 'Ниш, О.Ш. „Свети Сава”', { notes: ' ' }),
  station(106, 'Novi\nSad', { latitude: 45.245065, longitude: 19.84119 }),
];

export const components: readonly Component[] = [
  component(1, 'SO2', { casNumber: '7446-09-5', description: 'Sumpor-dioksid, gas' }),
  component(20, 'Ethyl benzene', { parameterName: 'Etilbenzen' }),
  component(6001, 'PM2.5', {}),
  component(5, 'PM10', {}),
];

function station(id: number, name: string, more: Partial<Station>): Station {
  return {
    id,
    name,
    code: `RS${String(id).padStart(4, '0')}A`,
    organizationId: 1,
    networkId: 7,
    networkCode: 'DMKV',
    active: true,
    public: true,
    componentIds: [],
    additional: { qa_flag: 'A' },
    ...more,
  };
}

function component(id: number, shortName: string, more: Partial<Component>): Component {
  return { id, shortName, unit: 'ug.m-3', public: true, additional: {}, ...more };
}
