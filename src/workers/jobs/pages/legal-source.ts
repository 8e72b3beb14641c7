/** Reads what legal pages show of a snapshot: its header, its files and its publisher. */
import { answerKey } from '../../../snapshot/local/keys.js';
import { asNumber, asString } from '../../../snapshot/local/msgpack.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import type { AdditionalMembers, Organization } from '../../../snapshot/domain/model.js';
import { BULK_FILES } from '../../../views/hvd/bulk.js';
import type { LegalSource } from '../../../views/pages/legal/legal-page.js';
import { readAnswer } from '../answers/read-finished.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function readLegalSource(reader: SnapshotReader): LegalSource {
  const sizes = new Map(reader.bundle().map(({ name, sizeBytes }) => [name, sizeBytes]));
  return {
    header: reader.header,
    publisher: readPublisher(reader),
    files: BULK_FILES.flatMap(({ name }) => {
      const sizeBytes = sizes.get(name);
      return sizeBytes === undefined ? [] : [{ name, sizeBytes }];
    }),
  };
}

/** The organization of the first station, or the first one, as `publisherOf` of the import finds it. */
function readPublisher(reader: SnapshotReader): Organization | undefined {
  const organizations = readObjects(reader, answerKey.organizations);
  const [station] = readObjects(reader, answerKey.stations);
  const withStations = organizations.find(
    ({ organization_id: id }) => id === station?.['organization_id'],
  );
  const found = withStations ?? organizations[0];
  if (found === undefined) return undefined;
  const { organization_id: id, name, short_name: shortName, ...additional } = found;
  return { id: asNumber(id), name: asString(name), shortName: asString(shortName), additional };
}

/** The local copy contains JSON objects that the import has rendered. */
function readObjects(reader: SnapshotReader, name: string): readonly AdditionalMembers[] {
  return readAnswer(reader, name) as readonly AdditionalMembers[];
}
