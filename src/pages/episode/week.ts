/** The week of `/episode`, in local days. */
import { windowHours, type HourInterval } from '../../snapshot/domain/windows.js';
import { localHours } from '../../snapshot/domain/zone-clock.js';
import type { Formatters } from '../../views/pages/portal/formatters.js';
import { longestWindow, type Portal } from '../../views/pages/portal/portal-model.js';

/** Number of whole days before the snapshot's own day. */
const WHOLE_DAYS = 7;

/** Seven local days and the present one, as far as the snapshot has them; undefined without a window of days. */
export function weekOf(
  portal: Portal,
  format: Pick<Formatters, 'local'>,
): HourInterval | undefined {
  const longest = longestWindow(portal);
  if (longest === undefined) return undefined;
  const { from, to } = windowHours(longest, portal.header);
  const today = format.local(to - 1).day;
  const first = localHours({ from, to }, format).find(({ day }) => day >= today - WHOLE_DAYS);
  return { from: first?.hour ?? from, to };
}
