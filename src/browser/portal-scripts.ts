/**
 * Script of the portal: the station in a dialog, search while typing, a map to zoom, charts that show single values, new values
 * when there are any.
 */
import { keepState } from './portal/address.js';
import { keepAges } from './portal/age.js';
import { enhanceCalendar } from './portal/calendar-readout.js';
import { enhanceChart } from './portal/chart-cursor.js';
import { followAddress } from './portal/follow.js';
import { enhanceHours } from './portal/hour-slider.js';
import { enhanceMap } from './portal/zoom-map.js';
import { enhanceDialog } from './portal/station-dialog.js';
import { enhanceNearby } from './portal/nearby.js';
import { enhanceTable } from './portal/station-table.js';

enhanceMap();
const { hasAllRows, rearrange, showNear } = enhanceTable();
if (hasAllRows) enhanceNearby(showNear);
keepAges();
const keepUp = followAddress({ hasAllRows, arrange: rearrange });
enhanceDialog({
  enhance: (panel) => {
    enhanceChart(panel);
    enhanceCalendar(panel);
  },
  onChange: () => void keepUp(),
});
keepState();
enhanceHours(keepUp);
