/** Contexts of the legal pages: texts with facts about the operator and the snapshot. */
import type { Organization } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { Messages } from '../../texts/fluent-messages.js';
import { needsAttributionOnly, statedOperator } from '../../texts/operator.js';
import { pageIn } from '../../texts/text-pages.js';
import { inLanguage, messagesOf, type Language } from '../../texts/texts.js';
import type { CatalogInput } from '../../views/catalog/distributions.js';
import { BULK_FILES, type BulkFormat } from '../../views/hvd/bulk.js';
import { API_VERSION, DATASET_VERSION, HVD_SCHEMA_VERSION } from '../../views/hvd/fields.js';
import { clipWindow } from '../../views/hvd/window.js';
import { operatorName } from '../../views/operator-links.js';
import { organizationContact } from '../../views/organization-contact.js';
import { escapeMarkup } from '../../views/xml.js';
import { pageLink, type Site } from '../../views/pages/page.js';
import {
  linkValue,
  renderProse,
  type PageValues,
  type RichValue,
} from '../../views/pages/prose.js';
import { readCatalog } from '../read-portal.js';
import { textPage, type ViewSource } from '../view.js';
import type { LegalState } from './legal.js';
import { formatsOf, type Formats } from './formats.js';

/** Date of the last change of a built-in legal text, in any language. */
const CHANGED = '2026-11-24';

/** Names of formats, untranslated. */
const FORMAT_NAMES: Readonly<Record<BulkFormat, string>> = {
  csv: 'CSV',
  geojson: 'GeoJSON',
  json: 'JSON',
  parquet: 'Parquet',
  markdown: 'Markdown',
  sha256: 'SHA-256',
};

export type LegalSource = Pick<CatalogInput, 'header' | 'publisher' | 'hasWeather' | 'files'>;

export function render(state: LegalState, source: ViewSource): string {
  const snapshot = source.snapshot();
  const page = viewLegalPage(state, {
    source: snapshot && readCatalog(snapshot, source.site.hasArchive),
    site: source.site,
  });
  return textPage('legal', page, state, source);
}

export function viewLegalPage(
  { name, ...style }: LegalState,
  { source, site }: { readonly source: LegalSource | undefined; readonly site: Site },
) {
  const texts = messagesOf(style.language, 'legal');
  const formats = formatsOf(style.language, site.timeZone);
  const values = {
    ...operatorValues(style.language, source?.publisher),
    ...snapshotValues(source, style.language, formats),
    // The facts about requests that the access log records.
    'when-no-log': when(site.requestLog === 'none'),
    'when-log': when(site.requestLog === 'without-addresses'),
    'when-log-address': when(site.requestLog === 'with-addresses'),
    'when-archive': when(site.hasArchive),
    'when-no-archive': when(!site.hasArchive),
    'api-version': API_VERSION,
    'hvd-schema-version': HVD_SCHEMA_VERSION,
    'dataset-version': DATASET_VERSION,
  };
  const page = pageIn(style.language, name);
  const { title, description, sections } = renderProse(page, { style, values });
  // An operator's own text, licence or promise has another date.
  const isOurs = !page.isOwn && statedOperator() === undefined;
  return {
    title,
    description,
    canonical: pageLink(`/legal/${name}`, { language: style.language, theme: undefined }),
    /** Null if there is no notice: templates refuse undefined. */
    notice: source === undefined ? texts('without-snapshot') : null,
    contents: texts('contents'),
    /** Null for the operator's own text or facts. */
    changed: isOurs ? { label: texts('changed'), date: CHANGED, text: formats.day(CHANGED) } : null,
    sections,
  };
}

/** The value of a conditional text: undefined, for an unmet condition, removes the text that contains it. */
function when(condition: boolean): '' | undefined {
  return condition ? '' : undefined;
}

function operatorValues(language: Language, publisher: Organization | undefined): PageValues {
  const stated = statedOperator();
  const texts = messagesOf(language, 'legal');
  const name = operatorName(language, publisher?.name);
  const shortName = stated?.short_name ?? publisher?.shortName;
  const contact = contactValues(publisher);
  const { license, legal_basis: legalBasis, availability, notice } = stated ?? {};
  const refresh = `refresh-${stated?.accrual_periodicity ?? ''}`;
  return {
    operator: name,
    source: name ?? texts('unknown-operator'),
    'short-name': shortName === name ? undefined : shortName,
    ...contact,
    'when-no-contact': when(
      name !== undefined && Object.values(contact).every((value) => value === undefined),
    ),
    'when-no-operator': when(name === undefined),
    description: publisher && organizationContact(publisher.additional).description,
    license: license && linkValue(license.url, inLanguage(license.name, language) ?? license.url),
    'legal-basis': legalBasis && inLanguage(legalBasis, language),
    refresh: texts.has(refresh) ? texts(refresh) : undefined,
    availability: availability && inLanguage(availability, language),
    notice: notice && inLanguage(notice, language),
    'when-default': when(stated === undefined),
    'when-stated': when(stated !== undefined),
    'when-attribution': when(needsAttributionOnly(stated)),
    'when-no-license': when(stated !== undefined && license === undefined),
  };
}

/** The operator's contact: as the operator states it, else as the snapshot has it. */
function contactValues(publisher: Organization | undefined): PageValues {
  const { email, website, telephone, address, person } = organizationContact(
    publisher?.additional ?? {},
  );
  const link = (to: string | undefined, text = to): RichValue | undefined =>
    to === undefined || text === undefined ? undefined : linkValue(to, text);
  return {
    person,
    email: link(email && `mailto:${email}`, email),
    telephone: link(telephone && `tel:${telephone.replaceAll(/[^\d+]/g, '')}`, telephone),
    address,
    website: link(website),
  };
}

function snapshotValues(
  source: LegalSource | undefined,
  language: Language,
  formats: Formats,
): PageValues {
  const texts = messagesOf(language, 'legal');
  const none = {
    'cited-at': texts('unknown-time'),
    'schema-version': '1.2.0',
    'when-unavailable': '',
    'when-no-files': '',
    'when-no-weather': '',
  };
  if (source === undefined) return none;
  const { header, hasWeather } = source;
  const { counts, generatedAtMs } = header;
  const period = clipWindow({}, generatedAtMs);
  const files = filesTable(source, { texts, language, formats });
  return {
    'cited-at': `${utcDateTime(generatedAtMs).slice(0, 16).replace('T', ' ')} UTC`,
    'snapshot-id': header.snapshotId,
    'schema-version': header.schemaVersion,
    'generated-at': formats.moment(generatedAtMs),
    'period-from': formats.moment(period.from),
    'period-to': formats.moment(period.to),
    networks: formats.number(counts.networks),
    stations: formats.number(counts.stations),
    components: formats.number(counts.components),
    measurements: formats.number(counts.measurement_rows),
    'when-demonstration': when(header.demonstration ?? false),
    'when-weather': when(hasWeather),
    'when-no-weather': when(!hasWeather),
    files,
    'when-no-files': when(files === undefined),
  };
}

function filesTable(
  { files }: LegalSource,
  { texts, language, formats }: { texts: Messages; language: Language; formats: Formats },
): RichValue | undefined {
  const contents = messagesOf(language, 'readme');
  const sizes = new Map<string, number>(files.map(({ name, sizeBytes }) => [name, sizeBytes]));
  const rows = BULK_FILES.flatMap(({ name, format }) => {
    const sizeBytes = sizes.get(name);
    if (sizeBytes === undefined) return [];
    const holds =
      name === 'README.md' ? texts('files-readme') : contents(`file-${name.replaceAll('.', '-')}`);
    const cells = [holds, FORMAT_NAMES[format], formats.size(sizeBytes)].map(escapeMarkup);
    return [[linkValue(`/api/v1/bulk/${name}`, name).html, ...cells]];
  });
  if (rows.length === 0) return undefined;
  const head = ['name', 'contents', 'format', 'size'].map((column) => texts(`files-${column}`));
  const body = rows.map(
    (cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`,
  );
  const caption = escapeMarkup(texts('files'));
  const html = `<div class="table" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${head.map((text) => `<th scope="col">${escapeMarkup(text)}</th>`).join('')}</tr></thead>
<tbody>
${body.join('')}</tbody>
</table>
</div>`;
  return { text: '', html, isBlock: true };
}
