/** Base URL of absolute links: `PUBLIC_BASE_URL` or the requested host (docs/http-api/answers.md, "Absolute links"). */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { RequestFields } from './request.js';

export interface BaseUrlOptions {
  /** `PUBLIC_BASE_URL` without a slash at its end; overrides the request. */
  readonly publicBaseUrl?: string | undefined;
  /** Whether a trusted proxy sets `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly trustProxy: boolean;
}

/** A name, an IPv4 address, or an IPv6 address in brackets, with or without a port (RFC 3986 §3.2.2). */
const AUTHORITY = /^(?:(?!\.)[\w.-]{1,253}|\[([0-9A-Fa-f:.]{2,45})\])(?::(\d{1,5}))?$/;

/** The base URL without a slash at its end; undefined if the request names no valid host. */
export function baseUrlOf(
  { host, forwardedHost, forwardedProto }: RequestFields,
  { publicBaseUrl, trustProxy }: BaseUrlOptions,
): string | undefined {
  if (publicBaseUrl !== undefined) return publicBaseUrl;
  const authority = hostOf((trustProxy && last(forwardedHost)) || host);
  if (authority === undefined) return undefined;
  const scheme = trustProxy && last(forwardedProto).toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${authority}`;
}

/** The request fields that `baseUrlOf` reads, for `Vary` (RFC 9110 §12.5.5). */
export function baseUrlFields({ publicBaseUrl, trustProxy }: BaseUrlOptions): readonly string[] {
  if (publicBaseUrl !== undefined) return [];
  return trustProxy ? ['Host', 'X-Forwarded-Host', 'X-Forwarded-Proto'] : ['Host'];
}

/** Distinguishes base URLs in entity tags. */
export function baseUrlDigest(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}

/** The host of the last request: nearly all requests name the same one. */
let named: { readonly authority: string; readonly host: string | undefined } = {
  authority: '',
  host: undefined,
};

/** The host in lower case; undefined where it is invalid. */
function hostOf(authority: string): string | undefined {
  if (authority !== named.authority) {
    const host = isAuthority(authority) ? authority.toLowerCase() : undefined;
    named = { authority, host };
  }
  return named.host;
}

function isAuthority(text: string): boolean {
  const match = AUTHORITY.exec(text);
  if (match === null) return false;
  const [, address, port = '0'] = match;
  return (address === undefined || isIPv6(address)) && Number(port) <= 65_535;
}

/** The last item of a list, written by the nearest proxy; clients can invent the others. */
function last(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1).trim();
}
