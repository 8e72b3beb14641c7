/** Data, state, words and formats that the views of the portal share. */
import type { Messages } from '../../../texts/fluent-messages.js';
import type { PortalState } from '../page.js';
import type { Formatters } from './formatters.js';
import type { ChartLines, Portal, PortalComponent, StationDetail } from './portal-model.js';

/** The texts and formats of one language. */
export interface Wording {
  readonly texts: Messages;
  readonly format: Formatters;
}

export interface PortalContext extends Wording {
  readonly portal: Portal;
  readonly state: PortalState;
}

/** The open station, and the component in its chart. */
export interface StationContext extends PortalContext {
  readonly detail: StationDetail;
  readonly component: PortalComponent;
}

export interface LinesContext extends PortalContext {
  readonly series: ChartLines;
}
