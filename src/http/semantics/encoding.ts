/** `Accept-Encoding`: which of the prepared forms a client gets (RFC 9110 §12.5.3). */

/** Whether gzip is acceptable and not less wanted than identity. */
export function prefersGzip(acceptEncoding: string): boolean {
  if (acceptEncoding === '') return false;
  const cached = remembered.get(acceptEncoding);
  if (cached !== undefined) return cached;
  const answer = negotiate(acceptEncoding);
  // Browsers and libraries send a handful of texts; whoever sends others is read each time.
  if (remembered.size < REMEMBERED_MAX) remembered.set(acceptEncoding, answer);
  return answer;
}

const REMEMBERED_MAX = 64;
const remembered = new Map<string, boolean>();

function negotiate(acceptEncoding: string): boolean {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight(parameters));
  }
  const any = weights.get('*');
  const gzip = weights.get('gzip') ?? any ?? 0;
  // Identity that is not named is acceptable, but less wanted than what is named.
  const identity = weights.get('identity') ?? (any === 0 ? 0 : undefined);
  return gzip > 0 && gzip >= (identity ?? 0);
}

/** A quality value, 1 where there is none; one that is malformed asks for nothing. */
function weight(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality.slice(2)) : 0;
}
