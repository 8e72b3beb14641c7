/**
 * Script of the portal: the station in a dialog, search while typing, a map to zoom, charts that show single values, new values
 * when there are any.
 */
import { improveCalendar } from './portal/calendar-readout.js';
import { improveChart } from './portal/chart-cursor.js';
import { followSnapshots } from './portal/follow.js';
import { improveMap } from './portal/zoom-map.js';
import { improveDialog } from './portal/station-dialog.js';
import { improveTable } from './portal/station-table.js';
import { showViewersTimes } from './portal/times.js';

const placeLabels = improveMap();
const { hasAllRows, rearrange } = improveTable();
const refreshPanel = improveDialog((panel) => {
  showViewersTimes(panel);
  improveChart(panel);
  improveCalendar(panel);
});
showViewersTimes(document);
showChosenComponent();
followSnapshots({
  improve: showViewersTimes,
  hasAllRows,
  arrange: () => {
    rearrange();
    placeLabels();
  },
  panel: refreshPanel,
});

/** On a telephone the row of components is wider than the screen, and the chosen one may be outside of it. */
function showChosenComponent(): void {
  const row = document.querySelector<HTMLElement>('.components');
  const chosen = row?.querySelector<HTMLElement>('[aria-current]');
  if (!row || !chosen) return;
  const middle = (row.clientWidth - chosen.offsetWidth) / 2;
  row.scrollLeft = chosen.offsetLeft - row.offsetLeft - middle;
}
