/** Template contexts of the legal pages: messages with facts about the operator and the snapshot. */
import type { Organization, SnapshotHeader } from '../../../snapshot/domain/model.js';
import { utcDateTime } from '../../../snapshot/domain/windows.js';
import { BULK_FILES, type BulkFormat } from '../../hvd/bulk.js';
import { clipWindow } from '../../hvd/window.js';
import { MESSAGES } from '../../messages/languages.js';
import {
  CONTACT_KINDS,
  type ContactKind,
  type Operator,
  type SnapshotFacts,
} from '../../messages/pages/legal-messages.js';
import { link, type Inlines } from '../../messages/prose.js';
import { organizationContact } from '../../organization-contact.js';
import { pageLink, type LegalPage, type PageStyle } from '../page.js';
import { formatsOf, type Formats } from './formats.js';
import { viewSection } from '../prose-layout.js';

/** The day on which the text of a page was last changed, in any language. */
const CHANGED = '2026-11-21';

/** Names of formats, the same in every language. */
const FORMAT_NAMES: Readonly<Record<BulkFormat, string>> = {
  csv: 'CSV',
  geojson: 'GeoJSON',
  json: 'JSON',
  parquet: 'Parquet',
  markdown: 'Markdown',
  sha256: 'SHA-256',
};

/** Input from the active snapshot. */
export interface LegalSource {
  readonly header: SnapshotHeader;
  /** Undefined where the snapshot has no organization. */
  readonly publisher: Organization | undefined;
  /** Files of the bulk bundle; empty where the index cannot be read. */
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
}

/** `source` is undefined while no snapshot is served; `timeZone` is an IANA name. */
export function viewLegalPage(
  { name, style }: { readonly name: LegalPage; readonly style: PageStyle },
  { source, timeZone }: { readonly source: LegalSource | undefined; readonly timeZone: string },
) {
  const texts = MESSAGES[style.language].legal;
  const formats = formatsOf(style.language, timeZone);
  const { title, description, sections } = texts.pages[name]({
    operator: source?.publisher && viewOperator(source.publisher),
    snapshot: source && viewSnapshot(source, formats),
  });
  return {
    ...{ title, description },
    /** Path of the page in its language, without a theme. */
    canonical: pageLink(`/legal/${name}`, { language: style.language, theme: undefined }),
    /** Null without a notice: templates do not accept undefined. */
    notice: source === undefined ? texts.withoutSnapshot : null,
    contentsHeading: texts.contents,
    changed: { label: texts.changed, date: CHANGED, text: formats.day(CHANGED) },
    sections: sections.map((section) => viewSection(section, style)),
  };
}

function viewOperator({ name, shortName, additional }: Organization): Operator {
  const { email, website, telephone, address, person, description } =
    organizationContact(additional);
  const values: Readonly<Record<ContactKind, Inlines[number] | undefined>> = {
    person,
    email: email && link(`mailto:${email}`, email),
    telephone: telephone && link(`tel:${telephone.replaceAll(/[^\d+]/g, '')}`, telephone),
    address,
    website: website && link(website, website),
  };
  return {
    name,
    shortName,
    contact: CONTACT_KINDS.flatMap((kind) => {
      const value = values[kind];
      return value === undefined ? [] : [{ kind, value: [value] }];
    }),
    description,
  };
}

function viewSnapshot({ header, files }: LegalSource, formats: Formats): SnapshotFacts {
  const { counts, generatedAtMs } = header;
  const period = clipWindow({}, generatedAtMs);
  const sizes = new Map<string, number>(files.map(({ name, sizeBytes }) => [name, sizeBytes]));
  return {
    id: header.snapshotId,
    schemaVersion: header.schemaVersion,
    isDemonstration: header.demonstration ?? false,
    generatedAt: formats.moment(generatedAtMs),
    citedAt: `${utcDateTime(generatedAtMs).slice(0, 16).replace('T', ' ')} UTC`,
    period: { from: formats.moment(period.from), to: formats.moment(period.to) },
    counts: {
      networks: formats.number(counts.networks),
      stations: formats.number(counts.stations),
      components: formats.number(counts.components),
      measurements: formats.number(counts.measurement_rows),
    },
    files: BULK_FILES.flatMap(({ name, format }) => {
      const sizeBytes = sizes.get(name);
      return sizeBytes === undefined
        ? []
        : [{ name, format: FORMAT_NAMES[format], size: formats.size(sizeBytes) }];
    }),
  };
}
