/** Limits for each client of a front, by address: shares of limited resources, and connections. */
import { isIPv4, isIPv6 } from 'node:net';
import type { HttpResponse, TemplatedApp } from './uwebsockets.js';

/** Share of a limit that one client may hold; the same share is reserved for other clients. */
const SHARE = 1 / 4;

/** The library's keep-alive time (docs/dependencies.md, "Connections"). */
const IDLE_MS = 10_000;

interface Quota {
  readonly max: number;
  readonly taken: number;
  readonly held: number;
  readonly wanted?: number;
}

/**
 * Whether a client may acquire more: a client with a quarter of the limit gets nothing of the last quarter. A single
 * client, such as a proxy that hides all others, can have three quarters.
 */
function isWithinQuota({ max, taken, held, wanted = 1 }: Quota): boolean {
  const share = Math.max(1, Math.floor(max * SHARE));
  return taken + wanted <= max && (held + wanted <= share || taken + wanted <= max - share);
}

/** Counts what clients hold of a limited resource: large bodies, event streams, bytes. */
export class ClientQuotas {
  readonly #max: number;
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Whether any client may acquire `wanted` more, whatever it holds. */
  isFree(wanted: number): boolean {
    return isWithinQuota({ max: this.#max, taken: this.#taken, held: this.#max, wanted });
  }

  /** Acquires `wanted` more for the client, until `release`; false, without a change, if its quota is too small. */
  acquire(client: string, wanted = 1): boolean {
    const held = this.#byClient.get(client) ?? 0;
    if (!isWithinQuota({ max: this.#max, taken: this.#taken, held, wanted })) return false;
    this.#taken += wanted;
    this.#byClient.set(client, held + wanted);
    return true;
  }

  release(client: string, amount = 1): void {
    this.#taken -= amount;
    const held = (this.#byClient.get(client) ?? amount) - amount;
    if (held === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, held);
  }
}

/** Acquires all amounts, or nothing. @returns a function that releases them; undefined if one was refused. */
export function acquireAll(
  client: string,
  amounts: readonly (readonly [quotas: ClientQuotas, wanted: number])[],
): (() => void) | undefined {
  const wanted = amounts.filter(([, amount]) => amount > 0);
  const refusedAt = wanted.findIndex(([quotas, amount]) => !quotas.acquire(client, amount));
  const acquired = refusedAt === -1 ? wanted : wanted.slice(0, refusedAt);
  const release = (): void => {
    for (const [quotas, amount] of acquired) quotas.release(client, amount);
  };
  if (refusedAt === -1) return release;
  release();
  return undefined;
}

/**
 * Counts connections, and closes those beyond a limit at once: without free files a process would call `accept` in a
 * loop. The library does not say whose connection has ended, so a client's connections are those that it opened within
 * the last ten to twenty seconds; idle connections do not last longer.
 */
export class Connections {
  readonly #max: number;
  readonly #onRefused: () => void;
  #open = 0;
  #opened = new Map<string, number>();
  #openedBefore = new Map<string, number>();
  #since = performance.now();

  constructor(
    app: TemplatedApp,
    options: { readonly max: number; readonly onRefused: () => void },
  ) {
    this.#max = options.max;
    this.#onRefused = options.onRefused;
    app.filter(this.#onChange.bind(this));
  }

  get open(): number {
    return this.#open;
  }

  /** @param change 1 when a connection begins, -1 when it has ended, unlike the library's types. */
  #onChange(res: HttpResponse, change: unknown): void {
    this.#open += Number(change);
    if (change === -1) return;
    const pastMs = performance.now() - this.#since;
    if (pastMs >= IDLE_MS) {
      this.#openedBefore = pastMs < 2 * IDLE_MS ? this.#opened : new Map<string, number>();
      this.#opened = new Map<string, number>();
      this.#since += pastMs;
    }
    const address = addressOf(res);
    const client = networkOf(address) ?? address;
    const opened = this.#opened.get(client) ?? 0;
    const held = opened + (this.#openedBefore.get(client) ?? 0);
    if (isWithinQuota({ max: this.#max, taken: this.#open - 1, held })) {
      this.#opened.set(client, opened + 1);
      return;
    }
    this.#onRefused();
    // Calls `#onChange` again, with -1.
    res.close();
  }
}

/** The remote address as text; empty once the connection is closed. */
export function addressOf(res: HttpResponse): string {
  return Buffer.from(res.getRemoteAddressAsText()).toString('latin1');
}

export interface RequestOrigin {
  readonly socketAddress: string;
  /** `X-Forwarded-For`, or empty. */
  readonly forwardedFor: string;
  /** Whether a trusted proxy sets `X-Forwarded-For`. */
  readonly trustProxy: boolean;
}

/** An address has at most 45 characters, a port and brackets 8 more. */
const ADDRESS_CHARS_MAX = 64;

/**
 * The client behind the nearest trusted proxy, else the other end of the connection. The last entry of the list counts:
 * the nearest proxy has added it, and the client may have invented all others.
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

/** The network of a client: an address, or for IPv6 its /64 (RFC 6177 §2); undefined for other texts. */
function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  return mappedAddress(groups) ?? `${groups.slice(0, 4).map(hexadecimal).join(':')}::/64`;
}

function groupsOf(address: string): readonly number[] {
  const [withoutZone = ''] = address.split('%', 1);
  // The parser writes `::ffff:192.0.2.1` as `[::ffff:c000:201]`.
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const [first = [], last = []] = hostname.slice(1, -1).split('::').map(numbersOf);
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last];
}

function numbersOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** The IPv4 address in `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2), as a socket for both families shows it. */
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
