/**
 * README.md of the bulk bundle, in English and in the operator's languages, including the data dictionary: its texts,
 * and a table of the fields of each component.
 */
import type { Organization, SnapshotHeader } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { Messages } from '../../texts/fluent-messages.js';
import { OUR_LANGUAGES } from '../../texts/text-files.js';
import { statedOperator } from '../../texts/operator.js';
import { inLanguage, LANGUAGES, messagesOf, type Language } from '../../texts/texts.js';
import { licenseName, operatorName } from '../operator-links.js';
import { BULK_FILES } from './bulk.js';
import { viewDataDictionary, type DictionaryComponent } from './dictionary.js';

/** The languages that the operator chose; else English, and those that the operator has added, or else Serbian. */
function readmeLanguages(): readonly Language[] {
  const added = LANGUAGES.filter((language) => !OUR_LANGUAGES.some((one) => one === language));
  return statedOperator()?.languages ?? ['en', ...(added.length > 0 ? added : ['sr-Latn'])];
}

/** Markdown with LF line ends; one snapshot always gives the same text. */
export function renderBundleReadme(snapshot: Source): string {
  const parts = readmeLanguages().map((language) => renderLanguage(language, snapshot));
  return `${parts.join('\n\n---\n\n')}\n`;
}

interface Source {
  readonly header: SnapshotHeader;
  readonly publisher: Organization;
}

function renderLanguage(language: Language, { header, publisher }: Source): string {
  const texts = messagesOf(language, 'readme');
  const name = escapeMarkdown(operatorName(language, publisher.name) ?? publisher.name);
  const generatedAt = utcDateTime(header.generatedAtMs);
  return [
    `# ${texts('title')}`,
    texts('introduction'),
    [
      `- ${texts('publisher-label')}: ${name}`,
      `- ${texts('snapshot-label')}: \`${header.snapshotId}\``,
      `- ${texts('generated-label')}: ${generatedAt}`,
    ].join('\n'),
    `## ${texts('files-heading')}`,
    BULK_FILES.map(
      (file) => `- \`${file.name}\`: ${texts(`file-${file.name.replaceAll('.', '-')}`)}`,
    ).join('\n'),
    texts('csv-note'),
    ...section(texts('license-heading'), licenseParagraphs(language, texts)),
    `## ${texts('attribution-heading')}`,
    texts('attribution'),
    `> ${name}, ${texts('attribution-example')} ${generatedAt}.`,
    `## ${texts('preliminary-heading')}`,
    texts('preliminary'),
    `## ${texts('retention-heading')}`,
    texts('retention'),
    `## ${texts('check-heading')}`,
    texts('check'),
    '```sh\nsha256sum -c SHA256SUMS\nshasum -a 256 -c SHA256SUMS\n```',
    renderDictionary(language, texts),
  ].join('\n\n');
}

/** A heading with its paragraphs; empty without paragraphs. */
function section(heading: string, paragraphs: readonly string[]): readonly string[] {
  return paragraphs.length === 0 ? [] : [`## ${heading}`, ...paragraphs];
}

/** Paragraphs about licence and legal basis; empty if `operator.json` states neither. */
function licenseParagraphs(language: Language, texts: Messages): readonly string[] {
  const stated = statedOperator();
  if (stated === undefined) return [texts('license')];
  const { license, legal_basis: legalBasis } = stated;
  const name = licenseName(language);
  return [
    ...(license && name !== undefined
      ? [texts('license-stated', { license: escapeMarkdown(name), url: `<${license.url}>` })]
      : []),
    ...(legalBasis ? [escapeMarkdown(inLanguage(legalBasis, language) ?? '')] : []),
  ];
}

function renderDictionary(language: Language, texts: Messages): string {
  const dictionary = viewDataDictionary(language);
  return [
    `## ${texts('dictionary-heading')}`,
    dictionary.standard_reference,
    ...dictionary.components.map((component) => renderComponent(component, texts)),
  ].join('\n\n');
}

function renderComponent(component: DictionaryComponent, texts: Messages): string {
  const heading = ['field', 'type', 'required', 'definition'].map((name) =>
    texts(`column-${name}`),
  );
  const rows = component.fields.map((one) =>
    tableRow([
      `\`${one.name}\``,
      one.type,
      one.required ? texts('yes') : texts('no'),
      // Definitions are the service's own texts; only `|` needs an escape.
      one.definition.replaceAll('|', '\\|'),
    ]),
  );
  return [
    `### ${component.standard_section}`,
    component.description,
    [tableRow(heading), '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** A name as plain text in Markdown, on one line. */
function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#+!|~&]/g, '\\$&');
}
