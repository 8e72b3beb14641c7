/** The distributions of the catalogue: each dataset over the API and as bulk files, and the archive, if any. */
import type { Organization, SnapshotHeader } from '../../snapshot/domain/model.js';
import type { BoundingBox } from '../../snapshot/domain/selection.js';
import { OBSERVATIONS_FILE } from '../../snapshot/domain/windows.js';
import type { BulkResource } from '../hvd/bulk.js';
import { DESCRIPTOR_ARCHIVE } from '../hvd/descriptor.js';
import type { HvdComponent } from '../hvd/fields.js';
import type { Messages } from '../../texts/fluent-messages.js';
import type { PortalComponent } from '../pages/portal/portal-model.js';
import { dateTime, DICTIONARY, inAllLanguages, licenseIri, type Iri } from './nested.js';
import * as vocabulary from './vocabulary.js';
import type { CatalogNode, Format } from './vocabulary.js';

export interface CatalogInput {
  readonly header: SnapshotHeader;
  /** Undefined for a snapshot without an organization. */
  readonly publisher: Organization | undefined;
  readonly hasWeather: boolean;
  readonly components: readonly PortalComponent[];
  /** The box around the public stations; undefined if no station has coordinates. */
  readonly box: BoundingBox | undefined;
  /** The bulk files, at least those of the three datasets. */
  readonly files: readonly (Omit<BulkResource, 'name'> & { readonly name: string })[];
  readonly hasArchive: boolean;
}

export interface CatalogContext extends CatalogInput {
  /** Makes an absolute IRI of a path. */
  readonly iri: Iri;
  /** Makes the IRI of a node from its name. */
  readonly nodeIri: Iri;
}

interface Distribution {
  /** Part of the ids of its node and its messages. */
  readonly kind: string;
  readonly format: Format;
  readonly path: string;
  /** The bulk file; undefined for the API and the archive. */
  readonly file?: CatalogInput['files'][number];
}

const FORMATS: Readonly<Record<HvdComponent, readonly Format[]>> = {
  stations: ['csv', 'geojson'],
  parameters: ['csv', 'json'],
  observations: ['csv', 'parquet'],
};

export function bulkName(component: HvdComponent, format: Format): string {
  return `${component === 'observations' ? OBSERVATIONS_FILE : component}.${format}`;
}

const ARCHIVE: readonly Distribution[] = [
  { kind: 'archive', format: 'parquet', path: DESCRIPTOR_ARCHIVE.index },
  { kind: 'archive-daily', format: 'csv', path: DESCRIPTOR_ARCHIVE.daily_csv },
];

/** A dataset's distributions: API, files, archive. @throws {RangeError} when `files` lacks a file. */
export function distributionsOf(
  component: HvdComponent,
  { files, hasArchive }: Pick<CatalogInput, 'files' | 'hasArchive'>,
): readonly Distribution[] {
  const bulk = FORMATS[component].map((format) => {
    const name = bulkName(component, format);
    const file = files.find((one) => one.name === name);
    if (file === undefined) throw new RangeError(`no bulk file ${name}`);
    return { kind: format, format, path: `/api/v1/bulk/${name}`, file };
  });
  return [
    { kind: 'api', format: 'json', path: `/api/v1/${component}` },
    ...bulk,
    ...(hasArchive && component === 'observations' ? ARCHIVE : []),
  ];
}

export function distributionTitle(messages: Messages, component: HvdComponent, kind: string) {
  return `${messages(`dataset-${component}`)} (${messages(`distribution-${kind}`)})`;
}

export function viewDistribution(
  component: HvdComponent,
  { kind, format, path, file }: Distribution,
  { header, iri, nodeIri }: CatalogContext,
): CatalogNode {
  const url = { '@id': iri(path) };
  return {
    '@id': nodeIri(`${component}-${kind}`),
    '@type': 'dcat:Distribution',
    ...vocabulary.HVD,
    'dct:title': inAllLanguages((messages) => distributionTitle(messages, component, kind)),
    'dct:description': inAllLanguages(`distribution-${kind}-description`),
    'dct:license': { '@id': licenseIri(iri) },
    'dct:modified': dateTime(header.generatedAtMs),
    'dct:conformsTo': { '@id': iri(DICTIONARY) },
    'dcatap:availability': vocabulary.STABLE,
    'dcat:accessURL': url,
    ...(kind === 'api' && { 'dcat:accessService': { '@id': nodeIri('service') } }),
    ...(file && { 'dcat:downloadURL': url }),
    ...vocabulary.viewFormat(format),
    ...(file && {
      'dcat:byteSize': { '@value': String(file.sizeBytes), '@type': 'xsd:decimal' },
      'spdx:checksum': {
        '@type': 'spdx:Checksum',
        'spdx:algorithm': { '@id': 'spdx:checksumAlgorithm_sha256' },
        'spdx:checksumValue': { '@value': file.sha256, '@type': 'xsd:hexBinary' },
      },
    }),
  };
}
