/**
 * Places in the OpenAPI document that are filled for a snapshot and an address: real examples, and the base URL.
 *
 * The template is made where the table of routes is; the examples where the data is. Here is what both agree on.
 */
import type { JsonValue } from '../../snapshot/domain/model.js';
import { baseUrlText } from '../base-url.js';

/** Operations that answer with a body, by their `operationId`: each has a real answer as its example. */
export type AnswerExample =
  | 'getManifest'
  | 'listOrganizations'
  | 'listNetworks'
  | 'listStations'
  | 'listComponents'
  | 'listOrganizationStations'
  | 'getStationMetadata'
  | 'getLastHour'
  | 'getLast24Hours'
  | 'getMeasurements'
  | 'getDatasetDescriptor'
  | 'listHvdStations'
  | 'listHvdParameters'
  | 'listObservations'
  | 'streamObservations'
  | 'listLatestObservations'
  | 'getBulkIndex'
  | 'getCatalog'
  | 'getDataDictionary'
  | 'getLiveness'
  | 'getReadiness';

/** Values of parameters with which the example answers are had. */
export type ParameterExample =
  | 'organizationId'
  | 'stationId'
  | 'componentId'
  | 'window'
  | 'exportWindow'
  | 'municipality'
  | 'stationType'
  | 'boundingBox'
  | 'from'
  | 'to'
  | 'hvdStationId'
  | 'parameterCode';

/** Values of header fields; those of the bundle belong to `stations.csv`. */
export type HeaderExample =
  | 'entityTag'
  | 'lastModified'
  | 'snapshotId'
  | 'recordCount'
  | 'streamDisposition'
  | 'fileEntityTag'
  | 'fileSha256'
  | 'fileDigest'
  | 'filePart'
  | 'fileSize';

/** First lines or records of some files of the bundle. */
export type FileExample = 'csvFile' | 'geoJsonFile' | 'jsonFile' | 'checksumsFile';

export type ExampleName = AnswerExample | ParameterExample | HeaderExample | FileExample;

/** What a snapshot has no example of is left out. */
export type Examples = Readonly<Partial<Record<ExampleName, JsonValue>>>;

/** Stands at the beginning of a string of the template. */
export const BASE_URL_PLACE = '<base-url>';

const EXAMPLE_PLACE = /^<example (\w+)>$/;

/** Stands in the template where an example belongs. */
export function examplePlace(name: ExampleName): string {
  return `<example ${name}>`;
}

/** The document as JSON text; a member whose example is missing is left out with it. */
export function fillPlaces(
  template: string,
  { baseUrl, examples }: { readonly baseUrl: string; readonly examples: Examples },
): string {
  const found: Readonly<Record<string, JsonValue | undefined>> = examples;
  const text = template.split(BASE_URL_PLACE).join(baseUrlText(baseUrl));
  return JSON.stringify(
    JSON.parse(text, (_member, value: unknown) => {
      const name = typeof value === 'string' ? EXAMPLE_PLACE.exec(value)?.[1] : undefined;
      return name === undefined ? value : found[name];
    }),
  );
}
