/** Documents and features of the OGC API (`/ogc`, docs/http-api/ogc.md). */
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { HOUR_MS, utcDateTime } from '../../../snapshot/domain/windows.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { FilterableStation } from '../../../snapshot/local/records.js';
import { boundingBox } from '../../../views/hvd/bounding-box.js';
import { OGC_API } from '../../../views/hvd/descriptor.js';
import type { StationRecord } from '../../../views/hvd/fields.js';
import { clipWindow } from '../../../views/hvd/window.js';
import { viewDocument } from '../../../views/ogc/documents.js';
import { viewFeatures, type Feature } from '../../../views/ogc/features.js';
import type { FeaturesRequest } from '../../../views/ogc/requests.js';
import { planText } from '../../formats/answers.js';
import type { PlanOgcTask } from '../../messages.js';
import { openSnapshot, type OpenSnapshot } from '../../open-snapshot.js';

/** @throws {SnapshotError} `no_public_data` for an unknown feature, `copy_damaged`. */
export function planOgc({ location, gzip, ...of }: PlanOgcTask): Plan {
  const { text, ...records } = ogcText(openSnapshot(location), of);
  return planText(text, { gzip, ...records });
}

/** The JSON of an answer, and its number of features. @throws {SnapshotError} as `planOgc` does. */
export function ogcText(
  snapshot: OpenSnapshot,
  { request, baseUrl: base }: Pick<PlanOgcTask, 'request' | 'baseUrl'>,
): { readonly text: string; readonly records?: number } {
  const { header } = snapshot.reader;
  if (request.kind === 'document') {
    const { components, stations } = snapshot.network();
    const input = { header, components, box: boundingBox(stations), base };
    return { text: JSON.stringify(viewDocument(request, input)) };
  }
  const { featureId } = request;
  const all = featuresOf(snapshot, request, base);
  const selected = featureId === undefined ? all : all.filter(({ id }) => id === featureId);
  if (featureId !== undefined && selected.length === 0) {
    throw new SnapshotError('no_public_data', `no feature ${featureId}`);
  }
  return viewFeatures(selected, request, { header, base });
}

function featuresOf(
  snapshot: OpenSnapshot,
  { collection, datetime }: FeaturesRequest,
  base: string,
): readonly Feature[] {
  if (collection === 'latest') return newestFeatures(snapshot);
  return snapshot.stations().map((place) => {
    if (collection !== 'stations') return locationFeature(snapshot, place, base);
    // Records are parsed only where their times matter.
    const times = datetime === undefined ? ALWAYS : timesOf(place);
    return { id: String(place.id), place, times, properties: place.text };
  });
}

const ALWAYS = { from: -Infinity, to: Infinity };

function timesOf({ text }: FilterableStation): Feature['times'] {
  const { start_date: start, end_date: end } = JSON.parse(text) as StationRecord;
  return {
    from: start === null ? ALWAYS.from : Date.parse(start),
    to: end === null ? ALWAYS.to : Date.parse(`${end}T23:59:59.999Z`),
  };
}

/** A station as EDR describes a location, with the parameters that it measures. */
function locationFeature(
  { reader, series }: OpenSnapshot,
  place: FilterableStation,
  base: string,
): Feature {
  const times = clipWindow({}, reader.header.generatedAtMs);
  const keys = series.select({ stationIds: [place.id] });
  const properties = {
    label: place.name,
    datetime: `${utcDateTime(times.from)}/${utcDateTime(times.to)}`,
    'parameter-name': keys.map((key) => series.codeOf(key)),
    edrqueryendpoint: `${base}${OGC_API}/collections/observations/locations/${place.id}`,
  };
  return { id: String(place.id), place, times, properties: JSON.stringify(properties) };
}

/** The newest observation of each series, with the name of its station. */
function newestFeatures(snapshot: OpenSnapshot): readonly Feature[] {
  const places = new Map(snapshot.stations().map((one) => [String(one.id), one]));
  return snapshot.reader.record('latest').map(({ stationId, parameterCode, hour, text }) => {
    const place = places.get(stationId);
    return {
      id: `${stationId}:${parameterCode}`,
      place,
      times: { from: hour * HOUR_MS, to: (hour + 1) * HOUR_MS - 1 },
      properties: `{"station_name":${JSON.stringify(place?.name ?? null)},${text.slice(1)}`,
    };
  });
}
