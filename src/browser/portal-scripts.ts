/**
 * Script of the portal: the station in a dialog, search while typing, a map to zoom, charts that show single values, new values
 * when there are any.
 */
import { keepState } from './portal/address.js';
import { showAges } from './portal/age.js';
import { enhanceCalendar } from './portal/calendar-readout.js';
import { enhanceChart } from './portal/chart-cursor.js';
import { followSnapshots } from './portal/follow.js';
import { enhanceHours } from './portal/hour-slider.js';
import { enhanceMap } from './portal/zoom-map.js';
import { enhanceDialog } from './portal/station-dialog.js';
import { enhanceNearby } from './portal/nearby.js';
import { enhanceTable } from './portal/station-table.js';

enhanceMap();
const { hasAllRows, rearrange, showNear } = enhanceTable();
if (hasAllRows) enhanceNearby(showNear);
const refreshPanel = enhanceDialog({
  enhance: (panel) => {
    enhanceChart(panel);
    enhanceCalendar(panel);
  },
  onChange: (snapshot) => void keepUp(snapshot),
});
keepState();
showAges(document);
showChosenComponent();
const isMoving = enhanceHours(() => keepUp());
const keepUp = followSnapshots({
  enhance: showAges,
  hasAllRows,
  arrange: rearrange,
  panel: refreshPanel,
  isMoving,
});

/** On a telephone the row of components is wider than the screen, and the chosen one may be outside of it. */
function showChosenComponent(): void {
  const row = document.querySelector<HTMLElement>('.components');
  const chosen = row?.querySelector<HTMLElement>('[aria-current]');
  if (!row || !chosen) return;
  const middle = (row.clientWidth - chosen.offsetWidth) / 2;
  row.scrollLeft = chosen.offsetLeft - row.offsetLeft - middle;
}
