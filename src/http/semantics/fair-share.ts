/** How clients share a number of places, so that one of them cannot take them all: places for connections, or bytes of memory. Pure. */

/** Of all places: so many may one client hold as long as it likes, and so many are kept for the others. */
const SHARE = 1 / 4;

export interface Places {
  /** How many there are. */
  readonly max: number;
  /** How many are taken, by all clients. */
  readonly taken: number;
  /** How many of those the client has that wants more. */
  readonly held: number;
  /** How many it wants. Default: one. */
  readonly wanted?: number;
}

/**
 * Whether the client may have what it wants: a client with a quarter of all places gets none of the last quarter.
 *
 * A client that is alone, such as a proxy that hides all others, can so have three quarters of them.
 */
export function hasPlace({ max, taken, held, wanted = 1 }: Places): boolean {
  const share = Math.max(1, Math.floor(max * SHARE));
  return taken + wanted <= max && (held + wanted <= share || taken + wanted <= max - share);
}
