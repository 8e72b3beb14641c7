/**
 * Real answers, short ones, for the OpenAPI document: those of one station and one parameter that have data.
 *
 * They are what the service answers when it is asked with the example values of the parameters; longer lists are
 * cut to their first two records.
 */
import { bulkFileName } from '../../../snapshot/local/bundle.js';
import { answerKey } from '../../../snapshot/local/keys.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import type { JsonValue, SnapshotHeader } from '../../../snapshot/domain/model.js';
import { viewDataDictionary } from '../../../views/hvd/dictionary.js';
import type { Examples } from '../../../views/openapi/places.js';
import { openSnapshot } from '../../open-snapshot.js';
import type { SnapshotLocation } from '../../messages.js';
import { seriesExamples } from './openapi-series-examples.js';
import { planCatalog } from './plan-catalog.js';
import { answerText } from './read-finished.js';
import { firstLines, parse, shortened, textOf } from './short-answers.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function openApiExamples(location: SnapshotLocation, baseUrl: string): Examples {
  const { reader } = openSnapshot(location);
  return {
    ...ofWholeAnswers(reader),
    ...ofFiles(reader),
    ...ofHeader(reader.header),
    getDataDictionary: shortened(parse(JSON.stringify(viewDataDictionary('en')))),
    getCatalog: shortened(parse(textOf(planCatalog({ location, gzip: false, baseUrl })))),
    ...seriesExamples(location),
  };
}

function ofHeader({ snapshotId, generatedAtMs }: SnapshotHeader): Examples {
  return {
    // Some build: an example shows the form.
    entityTag: `W/"${snapshotId}-0123abcd"`,
    lastModified: new Date(generatedAtMs).toUTCString(),
    snapshotId,
    streamDisposition: `inline; filename="observations-${snapshotId}.ndjson"`,
    getLiveness: { status: 'ok', check: 'live' },
    getReadiness: { status: 'ok', check: 'ready', snapshot_id: snapshotId, store: 'ok' },
  };
}

function ofWholeAnswers(reader: SnapshotReader): Examples {
  const answer = (name: string): JsonValue => shortened(parse(answerText(reader, name) ?? 'null'));
  return {
    getManifest: answer(answerKey.manifest),
    listOrganizations: answer(answerKey.organizations),
    listNetworks: answer(answerKey.networks),
    listStations: answer(answerKey.stations),
    listComponents: answer(answerKey.components),
    getDatasetDescriptor: answer(answerKey.hvdDescriptor),
    listHvdParameters: answer(answerKey.hvdParameters),
    getBulkIndex: answer(answerKey.bulkIndex),
  };
}

function ofFiles(reader: SnapshotReader): Examples {
  const files = new Map(reader.bundle().map((file) => [file.name, file]));
  const text = (name: string): string => {
    const sizeBytes = files.get(name)?.sizeBytes ?? 0;
    return Buffer.from(reader.files.read(bulkFileName(name), 0, sizeBytes)).toString('utf8');
  };
  const stations = files.get('stations.csv');
  return {
    csvFile: firstLines(text('stations.csv')),
    checksumsFile: firstLines(text('SHA256SUMS')),
    geoJsonFile: shortened(parse(text('stations.geojson'))),
    jsonFile: shortened(parse(text('parameters.json'))),
    ...(stations && {
      fileEntityTag: `"${stations.sha256}"`,
      fileSha256: stations.sha256,
      fileDigest: `sha-256=:${Buffer.from(stations.sha256, 'hex').toString('base64')}:`,
      filePart: `bytes 0-${Math.min(99, stations.sizeBytes - 1)}/${stations.sizeBytes}`,
      fileSize: `bytes */${stations.sizeBytes}`,
    }),
  };
}
