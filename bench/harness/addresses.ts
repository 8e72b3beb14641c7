/** Loopback addresses of clients, since the service shares its limits among addresses. */

/** Of whoever is measured. */
export const MEASURER = '127.0.0.2';

/** Of the members of a crowd, each its own: 127.1.0.1 and so on. */
export function crowdAddress(member: number): string {
  return `127.1.${Math.floor(member / 250)}.${1 + (member % 250)}`;
}
