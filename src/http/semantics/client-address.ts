/** Who has sent a request, as limits count clients: an IPv4 address, or the /64 of an IPv6 one. */
import { isIPv4, isIPv6 } from 'node:net';

/** What is known of where a request comes from. */
export interface RequestOrigin {
  /** The remote address of the connection. */
  readonly socketAddress: string;
  /** `X-Forwarded-For`; empty where the request has none. */
  readonly forwardedFor: string;
  /** Whether `X-Forwarded-For` comes from a proxy of ours. */
  readonly trustProxy: boolean;
}

/** Longer ones are no address: the longest has 45 characters, and a port 8 more with its brackets. */
const ADDRESS_CHARS_MAX = 64;

/**
 * The client behind the nearest proxy where there is one that is trusted, else the other end of the connection.
 *
 * Of a list the last entry counts: the nearest proxy has added it, all others may be the client's invention.
 */
export function clientOf({ socketAddress, forwardedFor, trustProxy }: RequestOrigin): string {
  const forwarded = trustProxy ? networkOf(lastEntry(forwardedFor)) : undefined;
  return forwarded ?? networkOf(socketAddress) ?? socketAddress;
}

function lastEntry(list: string): string {
  const entry = list.slice(list.lastIndexOf(',') + 1);
  return entry.length <= ADDRESS_CHARS_MAX ? withoutPort(entry.trim()) : '';
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']'));
  const [address = '', port, more] = text.split(':', 3);
  return port === undefined || more !== undefined ? text : address;
}

/** What one client has at its disposal: of IPv6 a whole /64 (RFC 6177 §2); undefined for a text that is no address. */
function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  return mappedAddress(groups) ?? `${groups.slice(0, 4).map(hexadecimal).join(':')}::/64`;
}

/** The eight numbers of an IPv6 address (RFC 4291 §2.2). */
function groupsOf(address: string): readonly number[] {
  const [withoutZone = ''] = address.split('%', 1);
  const [head = '', tail = ''] = withoutZone.split('::', 2).map(withoutDots);
  const [first, last] = [numbersOf(head), numbersOf(tail)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last];
}

function numbersOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** `::ffff:192.0.2.1` as `::ffff:c000:201`. */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const [a = 0, b = 0, c = 0, d] = text.slice(start).split('.', 4).map(Number);
  if (d === undefined) return text;
  return `${text.slice(0, start)}${hexadecimal(a * 256 + b)}:${hexadecimal(c * 256 + d)}`;
}

/** The IPv4 address of a client that a socket for both families shows as `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2). */
function mappedAddress(groups: readonly number[]): string | undefined {
  const isMapped = groups.slice(0, 6).every((group, at) => group === (at === 5 ? 0xffff : 0));
  if (!isMapped) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function hexadecimal(group: number): string {
  return group.toString(16);
}
