/** Features of OGC API - Features: stations, newest observations, and locations of OGC API - EDR. */
import { isInside } from '../../snapshot/domain/selection.js';
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { OGC_API } from '../hvd/descriptor.js';
import { GEOJSON, hrefWith, pageLink, type Link } from './links.js';
import type { FeaturesRequest, Times } from './requests.js';
import { geometryText, type Place } from './values.js';

/** A feature before it is written. */
export interface Feature {
  readonly id: string;
  readonly place: Place | undefined;
  readonly times: Times;
  /** JSON of its properties. */
  readonly properties: string;
}

interface Answered {
  readonly header: SnapshotHeader;
  /** Base URL without a slash at its end. */
  readonly base: string;
}

/** The page of features that a request selects, as JSON. */
export function viewFeatures(
  all: readonly Feature[],
  { box, times, limit, offset, query, collection }: FeaturesRequest,
  { header, base }: Answered,
): { readonly text: string; readonly records: number } {
  const matched = all.filter(
    ({ place, times: own }) =>
      (box === undefined || (place !== undefined && isInside(place, box))) &&
      (times === undefined || (own.from <= times.to && own.to >= times.from)),
  );
  const end = offset + limit;
  const shown = matched.slice(offset, end);
  const isLocations = collection === 'locations';
  const owner = `${base}${OGC_API}/collections/${isLocations ? 'observations' : collection}`;
  const here = `${owner}/${isLocations ? 'locations' : 'items'}`;
  const next = { snapshot: header.snapshotId, offset: `${end}` };
  const links: readonly Link[] = [
    { href: hrefWith(here, query), rel: 'self', type: GEOJSON, title: 'This page' },
    pageLink(here, query),
    { href: owner, rel: 'collection', type: 'application/json', title: 'The collection' },
    ...(end < matched.length
      ? [{ href: hrefWith(here, query, next), rel: 'next', type: GEOJSON, title: 'The next page' }]
      : []),
  ];
  const members = JSON.stringify({
    numberMatched: matched.length,
    numberReturned: shown.length,
    timeStamp: utcDateTime(header.generatedAtMs),
    links,
  });
  const text = `{"type":"FeatureCollection","features":[${shown.map(featureText).join(',')}],${members.slice(1)}`;
  return { text, records: shown.length };
}

/** One feature, with its links. */
export function viewFeature(feature: Feature, collection: string, { base }: Answered): string {
  const owner = `${base}${OGC_API}/collections/${collection}`;
  const here = `${owner}/items/${encodeURIComponent(feature.id)}`;
  const links: readonly Link[] = [
    { href: here, rel: 'self', type: GEOJSON },
    pageLink(here),
    { href: owner, rel: 'collection', type: 'application/json' },
  ];
  return `${featureText(feature).slice(0, -1)},"links":${JSON.stringify(links)}}`;
}

/** Whole numbers of fields that may have decimals: by the text `12`, GDAL and QGIS would take a column of integers. */
const WHOLE_DECIMALS = /"(?:value|coverage|elevation_m|latitude|longitude)":-?\d+(?=[,}])/g;

function featureText({ id, place, properties }: Feature): string {
  const decimals = properties.replaceAll(WHOLE_DECIMALS, '$&.0');
  return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometryText(place)},"properties":${decimals}}`;
}
