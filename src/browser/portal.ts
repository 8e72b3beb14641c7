/** The portal with scripts on: the station in a dialog, search as one types, a map to zoom, charts to read. */
import { improveChart } from './portal/chart-cursor.js';
import { improveMap } from './portal/zoom-map.js';
import { improveDialog } from './portal/station-dialog.js';
import { improveTable } from './portal/station-table.js';
import { showViewersTimes } from './portal/times.js';

improveMap();
improveTable();
improveDialog((panel) => {
  showViewersTimes(panel);
  improveChart(panel);
});
showViewersTimes(document);
