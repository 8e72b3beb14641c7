/** The script of pages with values: renewal, the station dialog, search, map zoom, single values of charts. */
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
