/** Converts grid coordinates to degrees of WGS 84; the only file that loads proj4. */
import proj4 from 'proj4';
import definitions from 'proj4-list';

/** Decimals of degrees: a tenth of a metre. */
const DECIMALS = 6;

/** @returns undefined for an unknown system, or a point outside of it. */
export function fromGrid({ x, y, epsg }: Readonly<Record<'x' | 'y' | 'epsg', number>>) {
  const system = definitions[`EPSG:${epsg}`]?.[1];
  if (system === undefined || !Number.isFinite(x) || !Number.isFinite(y)) return undefined;
  const [longitude = NaN, latitude = NaN] = proj4(system, 'WGS84', [x, y]);
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return undefined;
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

function rounded(degrees: number): string {
  return String(Number(degrees.toFixed(DECIMALS)));
}
