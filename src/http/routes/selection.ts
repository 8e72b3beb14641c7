/** The words by which stations and observations are selected, declared once for all endpoints (docs/http-api/requests.md, "Selection"). */
import { STATION_TYPES } from '../../snapshot/domain/model.js';
import { optionalFlag, optionalList, optionalOneOf, optionalText } from '../routing/parameters.js';
import {
  optionalBoundingBox,
  optionalLatitude,
  optionalLongitude,
  optionalRadius,
} from '../routing/selection-parameters.js';

const LISTS =
  'May be repeated, and a value may be a list with commas: all of them together, 500 at the most. One that is not ' +
  'known adds nothing.';

const stationId = {
  station_id: optionalList('station_id', {
    description: `Only these stations. ${LISTS}`,
    example: ['28005002'],
  }),
};

const parameterCode = {
  parameter_code: optionalList('parameter_code', {
    description:
      `Only these parameters. ${LISTS} A value that as a whole is a known code is that code, ` +
      'such as `m,p-Xylene`.',
    example: ['NO2'],
  }),
};

const stationFilters = {
  active: optionalFlag({
    description: 'Only stations that are in operation, or only those that are not.',
  }),
  municipality: optionalText({
    description: 'Only stations in this municipality: its whole name, in any case.',
    example: 'Alcalá de Henares',
  }),
  station_type: optionalOneOf(STATION_TYPES, {
    description: 'Only stations of this type.',
    example: 'traffic',
  }),
  bbox: optionalBoundingBox({
    description:
      'Only stations in this box, edges included: `min_lon,min_lat,max_lon,max_lat`, WGS84 decimal degrees, ' +
      'longitudes in [-180, 180], latitudes in [-90, 90], no minimum above its maximum. ' +
      'A station without coordinates is outside every box.',
    example: '-3.43,40.43,-3.33,40.53',
  }),
  lat: optionalLatitude({
    description:
      'With `lon`, a position in WGS84 decimal degrees: only stations within `radius_m` of it, on a great circle, ' +
      'edge included. A station without coordinates is within no distance.',
    example: 40.48,
  }),
  lon: optionalLongitude({ description: 'The longitude beside `lat`.', example: -3.36 }),
  radius_m: optionalRadius(
    { minimum: 1, maximum: 1_000_000, default: 25_000 },
    { description: 'Metres from the position; an error without one.', example: 20_000 },
  ),
};

/** On lists of stations. */
export const stationSelection = { ...stationId, ...stationFilters };

/** On observations, whatever their form. */
export const seriesSelection = { ...stationId, ...parameterCode, ...stationFilters };
