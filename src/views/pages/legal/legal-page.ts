/** The legal pages: prose of the catalogue of messages with what is known of operator and snapshot, ready to be laid out. */
import type { Organization, SnapshotHeader } from '../../../snapshot/domain/model.js';
import { HOUR_MS, RETENTION_DAYS, utcDateTime } from '../../../snapshot/domain/windows.js';
import { BULK_FILES, type BulkFormat, type BulkResource } from '../../hvd/bulk.js';
import { MESSAGES } from '../../messages/languages.js';
import {
  CONTACT_KINDS,
  type ContactKind,
  type LegalFacts,
  type Operator,
  type SnapshotFacts,
} from '../../messages/pages/legal-messages.js';
import { link, type Runs } from '../../messages/prose.js';
import { organizationContact } from '../../organization-contact.js';
import { pageLink, type LegalPage, type PageStyle } from '../page.js';
import { formatsOf, type Formats } from './formats.js';
import { viewSection, type SectionContext } from '../prose-layout.js';

/** The day on which somebody last changed what the pages say, in any language. */
const CHANGED = '2026-11-21';

/** As their inventors write them, in any language. */
const FORMAT_NAMES: Readonly<Record<BulkFormat, string>> = {
  csv: 'CSV',
  geojson: 'GeoJSON',
  json: 'JSON',
  parquet: 'Parquet',
  markdown: 'Markdown',
  sha256: 'SHA-256',
};

/** What a page is told of the active snapshot. */
export interface LegalSource {
  readonly header: SnapshotHeader;
  /** Undefined where a document has no organization at all. */
  readonly publisher: Organization | undefined;
  /** Of the bulk bundle; empty where the index cannot be read. */
  readonly files: readonly Pick<BulkResource, 'name' | 'sizeBytes'>[];
}

export interface LegalContext {
  readonly title: string;
  readonly description: string;
  /** Path of the page in its language, whatever the theme. */
  readonly canonical: string;
  /** Null where there is nothing to say: templates know no undefined. */
  readonly notice: string | null;
  readonly contentsHeading: string;
  readonly changed: { readonly label: string; readonly date: string; readonly text: string };
  /** Also the table of contents. */
  readonly sections: readonly SectionContext[];
}

/** `source` is undefined while no snapshot is served; `timeZone` is an IANA name. */
export function viewLegalPage(
  wish: { readonly name: LegalPage; readonly style: PageStyle },
  { source, timeZone }: { readonly source: LegalSource | undefined; readonly timeZone: string },
): LegalContext {
  const { name, style } = wish;
  const texts = MESSAGES[style.language].legal;
  const formats = formatsOf(style.language, timeZone);
  const facts = viewFacts(source, formats);
  const { title, description, sections } = texts.pages[name](facts);
  return {
    title,
    description,
    canonical: pageLink(`/legal/${name}`, { language: style.language, theme: undefined }),
    notice: source === undefined ? texts.withoutSnapshot : null,
    contentsHeading: texts.contents,
    changed: { label: texts.changed, date: CHANGED, text: formats.day(CHANGED) },
    sections: sections.map((section) => viewSection(section, style)),
  };
}

function viewFacts(source: LegalSource | undefined, formats: Formats): LegalFacts {
  if (source === undefined) return { operator: undefined, snapshot: undefined };
  return {
    operator: source.publisher && viewOperator(source.publisher),
    snapshot: viewSnapshot(source, formats),
  };
}

function viewOperator({ name, shortName, additional }: Organization): Operator {
  const { email, website, telephone, address, person, description } =
    organizationContact(additional);
  const values: Readonly<Record<ContactKind, Runs | undefined>> = {
    person: person === undefined ? undefined : [person],
    email: email === undefined ? undefined : [link(`mailto:${email}`, email)],
    telephone:
      telephone === undefined
        ? undefined
        : [link(`tel:${telephone.replaceAll(/[^\d+]/g, '')}`, telephone)],
    address: address === undefined ? undefined : [address],
    website: website === undefined ? undefined : [link(website, website)],
  };
  return {
    name,
    shortName,
    contact: CONTACT_KINDS.flatMap((kind) => {
      const value = values[kind];
      return value === undefined ? [] : [{ kind, value }];
    }),
    description,
  };
}

function viewSnapshot({ header, files }: LegalSource, formats: Formats): SnapshotFacts {
  const { counts, generatedAtMs } = header;
  const sizes = new Map(files.map(({ name, sizeBytes }) => [name, sizeBytes]));
  return {
    id: header.snapshotId,
    schemaVersion: header.schemaVersion,
    generatedAt: formats.moment(generatedAtMs),
    citedAt: `${utcDateTime(generatedAtMs).slice(0, 16).replace('T', ' ')} UTC`,
    period: {
      from: formats.moment(generatedAtMs - RETENTION_DAYS * 24 * HOUR_MS),
      to: formats.moment(generatedAtMs),
    },
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
