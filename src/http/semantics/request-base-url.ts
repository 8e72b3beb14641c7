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
  const authority = (trustProxy && last(forwardedHost)) || host;
  if (!isAuthority(authority)) return undefined;
  const scheme = trustProxy && last(forwardedProto).toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${authority.toLowerCase()}`;
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

/** The last valid authority: nearly all requests name the same host. */
let lastValid = '';

function isAuthority(text: string): boolean {
  if (text !== '' && text === lastValid) return true;
  const match = AUTHORITY.exec(text);
  if (match === null) return false;
  const [, address, port = '0'] = match;
  const isValid = (address === undefined || isIPv6(address)) && Number(port) <= 65_535;
  if (isValid) lastValid = text;
  return isValid;
}

/** The last item of a list, written by the nearest proxy; clients can invent the others. */
function last(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1).trim();
}
