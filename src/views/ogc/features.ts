/** Features of OGC API - Features: stations, newest observations, and locations of OGC API - EDR. */
import { isInside } from '../../snapshot/domain/selection.js';
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { Place } from '../hour-table.js';
import { OGC_API } from '../hvd/descriptor.js';
import { GEOJSON, hrefWith, linkTo, pageLink } from './links.js';
import type { FeaturesRequest, Times } from './requests.js';
import { geometryText } from './values.js';

/** A feature before it is written. */
export interface Feature {
  readonly id: string;
  readonly place: Place | undefined;
  readonly times: Times;
  /** JSON of its properties. */
  readonly properties: string;
}

/**
 * The page of features that a request selects, as JSON; with `featureId`, that feature alone.
 *
 * @param base base URL without a slash at its end.
 */
export function viewFeatures(
  all: readonly Feature[],
  { bbox, datetime, limit = Infinity, offset = 0, ...request }: FeaturesRequest,
  { header, base }: { readonly header: SnapshotHeader; readonly base: string },
): { readonly text: string; readonly records: number } {
  const { query, collection, featureId } = request;
  const isLocations = collection === 'locations';
  const owner = `${base}${OGC_API}/collections/${isLocations ? 'observations' : collection}`;
  const ending = featureId === undefined ? '' : `/${encodeURIComponent(featureId)}`;
  const here = `${owner}/${isLocations ? 'locations' : 'items'}${ending}`;
  // A feature has one address, however it was asked for.
  const own = featureId === undefined ? query : '';
  const links = [
    linkTo(hrefWith(here, own), 'self', 'This document', GEOJSON),
    pageLink(here, own),
    linkTo(owner, 'collection', 'The collection'),
  ];
  const [only] = all;
  if (featureId !== undefined && only !== undefined) {
    const text = `${featureText(only).slice(0, -1)},"links":${JSON.stringify(links)}}`;
    return { text, records: 1 };
  }
  const matched = all.filter(
    ({ place, times }) =>
      (bbox === undefined || (place !== undefined && isInside(place, bbox))) &&
      (datetime === undefined || (times.from <= datetime.to && times.to >= datetime.from)),
  );
  const end = offset + limit;
  const shown = matched.slice(offset, end);
  if (end < matched.length) {
    const next = { snapshot: header.snapshotId, offset: `${end}` };
    links.push(linkTo(hrefWith(here, query, next), 'next', 'The next page', GEOJSON));
  }
  const members = JSON.stringify({
    numberMatched: matched.length,
    numberReturned: shown.length,
    timeStamp: utcDateTime(header.generatedAtMs),
    links,
  });
  const text = `{"type":"FeatureCollection","features":[${shown.map(featureText).join(',')}],${members.slice(1)}`;
  return { text, records: shown.length };
}

/** Whole numbers of fields that may have decimals, written as `12.0`: `12` would make GDAL and QGIS infer integers. */
const WHOLE_DECIMALS = /"(?:value|coverage|elevation_m|latitude|longitude)":-?\d+(?=[,}])/g;

function featureText({ id, place, properties }: Feature): string {
  const decimals = properties.replaceAll(WHOLE_DECIMALS, '$&.0');
  return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometryText(place)},"properties":${decimals}}`;
}
