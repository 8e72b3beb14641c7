/** The base URL of absolute links: `PUBLIC_BASE_URL`, or the host that the client requested (`docs/http-api/answers.md, "Absolute links"`). */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { RequestFields } from './request.js';

export interface BaseUrlOptions {
  /** `PUBLIC_BASE_URL`, without a slash at its end; where it is set, the request does not matter. */
  readonly publicBaseUrl?: string | undefined;
  /** Whether `X-Forwarded-Proto` and `X-Forwarded-Host` come from a proxy of ours. */
  readonly trustProxy: boolean;
}

/** A name or an IPv4 address, or an IPv6 address in brackets, each with or without a port (RFC 3986 §3.2.2). */
const AUTHORITY = /^(?:(?!\.)[\w.-]{1,253}|\[([0-9A-Fa-f:.]{2,45})\])(?::(\d{1,5}))?$/;

/** The base URL, without a slash at its end; undefined where the request names no host that could be one. */
export function baseUrlOf(
  { host, forwardedHost, forwardedProto }: RequestFields,
  { publicBaseUrl, trustProxy }: BaseUrlOptions,
): string | undefined {
  if (publicBaseUrl !== undefined) return publicBaseUrl;
  const authority = (trustProxy && last(forwardedHost)) || host;
  if (!isAuthority(authority)) return undefined;
  const scheme = trustProxy && last(forwardedProto).toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${authority.toLowerCase()}`;
}

/** The fields of a request that `baseUrlOf` reads, for `Vary` (RFC 9110 §12.5.5). */
export function baseUrlFields({ publicBaseUrl, trustProxy }: BaseUrlOptions): readonly string[] {
  if (publicBaseUrl !== undefined) return [];
  return trustProxy ? ['Host', 'X-Forwarded-Host', 'X-Forwarded-Proto'] : ['Host'];
}

/** Tells the answers of one base URL from those of another, for their entity tags. */
export function baseUrlDigest(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}

function isAuthority(text: string): boolean {
  const match = AUTHORITY.exec(text);
  if (match === null) return false;
  const [, address, port = '0'] = match;
  return (address === undefined || isIPv6(address)) && Number(port) <= 65_535;
}

/** The last entry of a list, which the nearest proxy has written; whatever stands before it can be the client's own. */
function last(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1).trim();
}
