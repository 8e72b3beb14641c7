/** Script of the tables of all stations, which are loaded anew when there are new values. */
import { SnapshotListener } from './portal/snapshot-listener.js';

const page = document.querySelector<HTMLElement>('.overview-page');
if (page) new SnapshotListener(page);
