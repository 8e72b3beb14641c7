/** Loopback addresses of clients, since the service shares its limits among addresses. */

/** Of whoever attacks, or asks for too much. */
export const ATTACKER = '127.0.0.3';

/** Of all others, whom that should not hurt. */
export const MEASURER = '127.0.0.2';

/** Of what watches the service, such as an orchestrator's probe: each request is a new connection. */
export const PROBE = '127.0.0.4';

/** Of the members of a crowd, each its own: 127.1.0.1 and so on. */
export function crowdAddress(member: number): string {
  return `127.1.${Math.floor(member / 250)}.${1 + (member % 250)}`;
}
