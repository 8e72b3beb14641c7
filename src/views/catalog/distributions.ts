/** The nine distributions of the catalogue: each dataset over the API and as bulk files. */
import type { Organization, SnapshotHeader } from '../../snapshot/domain/model.js';
import type { BoundingBox } from '../../snapshot/domain/selection.js';
import type { BulkFileName, BulkResource } from '../hvd/bulk.js';
import type { HvdComponent } from '../hvd/fields.js';
import { dateTime, DICTIONARY, inAllLanguages, licenseIri, type Iri } from './nested.js';
import * as vocabulary from './vocabulary.js';
import type { CatalogNode } from './vocabulary.js';

/** Delivery over the API, or as a file of one format. */
type DistributionKind = 'api' | 'csv' | 'geojson' | 'json' | 'parquet';

export interface CatalogInput {
  readonly header: SnapshotHeader;
  readonly publisher: Organization;
  readonly hasWeather: boolean;
  /** The box around the public stations; undefined if no station has coordinates. */
  readonly box: BoundingBox | undefined;
  /** The bulk files, at least those of the three datasets. */
  readonly files: readonly BulkResource[];
}

export interface CatalogContext extends CatalogInput {
  /** Makes an absolute IRI of a path. */
  readonly iri: Iri;
  /** Makes the IRI of a node from its name. */
  readonly nodeIri: Iri;
}

interface File {
  readonly kind: Exclude<DistributionKind, 'api'>;
  readonly name: BulkFileName;
}

const FILES: Readonly<Record<HvdComponent, readonly File[]>> = {
  stations: [
    { kind: 'csv', name: 'stations.csv' },
    { kind: 'geojson', name: 'stations.geojson' },
  ],
  parameters: [
    { kind: 'csv', name: 'parameters.csv' },
    { kind: 'json', name: 'parameters.json' },
  ],
  observations: [
    { kind: 'csv', name: 'observations_hourly_preliminary_last30days.csv' },
    { kind: 'parquet', name: 'observations_hourly_preliminary_last30days.parquet' },
  ],
};

/** Names of a dataset's distributions, the API first. */
export function distributionNames(component: HvdComponent): readonly string[] {
  return ['api', ...FILES[component].map(({ kind }) => kind)].map((kind) => `${component}-${kind}`);
}

/** Nodes in the order of `distributionNames`. @throws {RangeError} when a file is missing. */
export function viewDistributions(
  component: HvdComponent,
  context: CatalogContext,
): readonly CatalogNode[] {
  return [
    viewApiDistribution(component, context),
    ...FILES[component].map((file) => viewFile(component, file, context)),
  ];
}

function viewApiDistribution(component: HvdComponent, context: CatalogContext): CatalogNode {
  return {
    ...viewDistribution(component, 'api', context),
    'dcat:accessURL': { '@id': context.iri(`/api/v1/${component}`) },
    'dcat:accessService': { '@id': context.nodeIri('service') },
    ...vocabulary.FORMATS.json,
  };
}

function viewFile(component: HvdComponent, file: File, context: CatalogContext): CatalogNode {
  const resource = context.files.find(({ name }) => name === file.name);
  if (resource === undefined) throw new RangeError(`no bulk file ${file.name}`);
  const url = { '@id': context.iri(`/api/v1/bulk/${file.name}`) };
  return {
    ...viewDistribution(component, file.kind, context),
    'dcat:accessURL': url,
    'dcat:downloadURL': url,
    ...vocabulary.FORMATS[file.kind],
    'dcat:byteSize': { '@value': String(resource.sizeBytes), '@type': 'xsd:decimal' },
    'spdx:checksum': {
      '@type': 'spdx:Checksum',
      'spdx:algorithm': { '@id': 'spdx:checksumAlgorithm_sha256' },
      'spdx:checksumValue': { '@value': resource.sha256, '@type': 'xsd:hexBinary' },
    },
  };
}

function viewDistribution(
  component: HvdComponent,
  kind: DistributionKind,
  { header, iri, nodeIri }: CatalogContext,
): CatalogNode {
  return {
    '@id': nodeIri(`${component}-${kind}`),
    '@type': 'dcat:Distribution',
    ...vocabulary.HVD,
    'dct:title': inAllLanguages(
      (messages) => `${messages(`dataset-${component}`)} (${messages(`distribution-${kind}`)})`,
    ),
    'dct:description': inAllLanguages(`distribution-${kind}-description`),
    'dct:license': { '@id': licenseIri(iri) },
    'dct:modified': dateTime(header.generatedAtMs),
    'dct:conformsTo': { '@id': iri(DICTIONARY) },
    'dcatap:availability': vocabulary.STABLE,
  };
}
