/** The form that compares the open station with another one: stations that measure the same, and a request to the page. */
import { escapeMarkup } from '../../xml.js';
import type { PortalState } from '../page.js';
import type { Formatters } from './formatters.js';
import { hiddenFields, portalLink } from './links.js';
import { distanceTo } from './search.js';
import { byRank, nameOrder } from './stations.js';
import type { Portal, PortalComponent, PortalStation } from './portal-model.js';

/** Stations to choose from: in a larger network those that are the nearest. */
const CHOICES_MAX = 200;

interface ComparisonOptions {
  readonly portal: Portal;
  readonly station: PortalStation;
  readonly component: PortalComponent;
  readonly state: PortalState;
  readonly format: Formatters;
}

/** Undefined where no other station measures the component. */
export function viewComparison({ portal, station, component, state, format }: ComparisonOptions) {
  const others = portal.stations.filter(
    ({ id, componentIds }) => id !== station.id && componentIds.includes(component.id),
  );
  if (others.length === 0) return undefined;
  const { position } = station;
  const distances = new Map(
    others.map((one) => [one.id, position && distanceTo(position, one.position ?? {})]),
  );
  const distance = ({ id }: PortalStation): number => distances.get(id) ?? Number.MAX_VALUE;
  const nearest = others
    .toSorted((a, b) => distance(a) - distance(b) || a.id - b.id)
    .filter(({ id }, index) => index < CHOICES_MAX || id === state.compareId);
  return {
    /** As markup. */
    choices: nearest
      .toSorted(byRank(nameOrder(portal, format)))
      .map(
        ({ id, name }) =>
          `\n<option value="${id}"${id === state.compareId ? ' selected' : ''}>${escapeMarkup(name)}</option>`,
      )
      .join(''),
    hidden: hiddenFields({ ...state, compareId: undefined }),
    clearHref: portalLink(state, { compareId: undefined }),
  };
}
