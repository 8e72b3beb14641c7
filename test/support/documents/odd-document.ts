/** A document with names that spreadsheets, XML or CSV could misread. */
import { snapshotDocument, type PlainDocument } from './documents.js';

const ODD = {
  organization: `<script>alert("1")</script> & sinovi`,
  station: '=1+1',
  code: `+cmd|' /C calc'!A0`,
  network: '@SUM(A1)\tTAB, "navodnici"',
  component: 'Ћуфте 😀 _x000D_',
  unit: '-µg/m³',
};

/** Station 12 and component 7 are hidden; component 8 has only nulls, 9 no value in the last day; no window 14d. */
export function oddDocument(): PlainDocument {
  const station = { station_code: ODD.code, organization_id: 1, network_id: 3 };
  const row = (component: number, at: string, value: number | null): PlainDocument => {
    const [date, time] = at.split(' ');
    return { station_id: 11, component_id: component, date, time, value };
  };
  return snapshotDocument({
    snapshot_id: 'odd',
    supported_windows: ['1h', '1d', '7d', '30d'],
    organizations: [
      { organization_id: 1, name: ODD.organization, short_name: 'A' },
      { organization_id: 2, name: 'Druga', short_name: 'D' },
    ],
    networks: [{ network_id: 3, network_code: ODD.network, name: 'Mreža', short_name: 'M' }],
    components: [
      { component_id: 5, short_name: ODD.component, unit: ODD.unit },
      { component_id: 7, short_name: 'X7', unit: 'V', public: false },
      { component_id: 8, short_name: 'X8', unit: 'V' },
      { component_id: 9, short_name: 'X9', unit: 'V' },
    ],
    stations: [
      { ...station, station_id: 11, station_name: ODD.station },
      { ...station, station_id: 12, station_name: 'Proba', public: false },
    ],
    measurements: [
      row(5, '2026-09-09 23:00', 1.005),
      row(5, '2026-09-03 00:00', -0.004),
      row(5, '2026-09-08 10:00', -12.345),
      row(5, '2026-09-08 11:00', null),
      row(5, '2026-09-08 12:00', 1e6),
      row(7, '2026-09-09 23:00', 1),
      row(8, '2026-09-09 23:00', null),
      row(9, '2026-09-08 23:00', 1),
    ],
  });
}
