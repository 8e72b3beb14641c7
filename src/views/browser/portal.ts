/** The portal with scripts on: the station in a dialog, search as one types, a map to zoom, charts to read. */
import { improveChart } from './portal/chart.js';
import { improveMap } from './portal/map.js';
import { improveDialog } from './portal/station-dialog.js';
import { improveTable } from './portal/table.js';
import { showViewersTimes } from './portal/times.js';

improveMap();
improveTable();
improveDialog((panel) => {
  showViewersTimes(panel);
  improveChart(panel);
});
showViewersTimes(document);
