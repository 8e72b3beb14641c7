/**
 * Script of the pages with values: new ones when there are any; of the portal also the station in a dialog, search while typing, a
 * map to zoom, charts that show single values.
 */
import { keepState } from './portal/page-address.js';
import { keepAges } from './portal/age.js';
import { enhanceCalendar } from './portal/calendar-readout.js';
import { enhanceChart } from './portal/chart-cursor.js';
import { enhanceHours } from './portal/hour-slider.js';
import { enhanceMap } from './portal/zoom-map.js';
import { enhanceDialog } from './portal/station-dialog.js';
import { enhanceNearby } from './portal/nearby.js';
import { renewPage } from './portal/renewal.js';
import { enhanceTable } from './portal/station-table.js';

enhanceMap();
const { hasAllRows, showNear } = enhanceTable();
if (hasAllRows) enhanceNearby(showNear);
keepAges();
const renew = renewPage(['station_id', 'compare', ...(hasAllRows ? ['q'] : [])]);
enhanceDialog({
  enhance: (panel) => {
    enhanceChart(panel);
    enhanceCalendar(panel);
  },
  onChange: renew,
});
keepState();
enhanceHours(renew);
