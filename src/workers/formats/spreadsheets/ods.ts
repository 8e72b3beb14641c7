/** Export rows as an OpenDocument 1.3 spreadsheet; the only file that loads fflate. */
import { strToU8, zipSync } from 'fflate';
import { utcDateTime } from '../../../snapshot/domain/windows.js';
import {
  cellText,
  EXPORT_COLUMNS,
  type ExportColumn,
  type ExportRow,
} from '../../../views/export-table.js';
import { escapeMarkup } from '../../../views/xml.js';

const MEDIA_TYPE = 'application/vnd.oasis.opendocument.spreadsheet';

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';

/** A spreadsheet of one table; text is never a formula. Equal rows give equal bytes. */
export function odsFile(rows: readonly ExportRow[], generatedAtMs: number): Uint8Array {
  const compressed = { level: 6 } as const;
  return zipSync(
    {
      // First and uncompressed, so that the type is at a fixed offset (OpenDocument 1.3, part 2 §3.3).
      mimetype: [strToU8(MEDIA_TYPE), { level: 0 }],
      'META-INF/manifest.xml': [strToU8(MANIFEST), compressed],
      'meta.xml': [strToU8(meta(generatedAtMs)), compressed],
      'styles.xml': [strToU8(STYLES), compressed],
      'settings.xml': [strToU8(SETTINGS), compressed],
      'content.xml': [strToU8(content(rows)), compressed],
    },
    // The earliest time of the format; fflate writes times in the machine's time zone.
    { mtime: new Date(1980, 0, 1) },
  );
}

const MANIFEST = `${XML}<manifest:manifest xmlns:manifest="${OASIS}:manifest:1.0" manifest:version="1.3">
<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="${MEDIA_TYPE}"/>
${['content.xml', 'meta.xml', 'settings.xml', 'styles.xml']
  .map(
    (name) => `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml"/>`,
  )
  .join('\n')}
</manifest:manifest>
`;

function meta(generatedAtMs: number): string {
  const at = utcDateTime(generatedAtMs);
  return `${XML}<office:document-meta xmlns:office="${OASIS}:office:1.0" xmlns:meta="${OASIS}:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3">
<office:meta><meta:generator>Bura</meta:generator><meta:creation-date>${at}</meta:creation-date><dc:date>${at}</dc:date></office:meta>
</office:document-meta>
`;
}

const STYLES = `${XML}<office:document-styles xmlns:office="${OASIS}:office:1.0" office:version="1.3"><office:styles/></office:document-styles>
`;

/** Freezes the column names. */
const SETTINGS = `${XML}<office:document-settings xmlns:office="${OASIS}:office:1.0" xmlns:config="${OASIS}:config:1.0" office:version="1.3">
<office:settings><config:config-item-set config:name="ooo:view-settings"><config:config-item-map-indexed config:name="Views"><config:config-item-map-entry><config:config-item-map-named config:name="Tables"><config:config-item-map-entry config:name="measurements">
<config:config-item config:name="VerticalSplitMode" config:type="short">2</config:config-item>
<config:config-item config:name="VerticalSplitPosition" config:type="int">1</config:config-item>
<config:config-item config:name="PositionBottom" config:type="int">1</config:config-item>
</config:config-item-map-entry></config:config-item-map-named></config:config-item-map-entry></config:config-item-map-indexed></config:config-item-set></office:settings>
</office:document-settings>
`;

const CONTENT_STYLES = `<office:automatic-styles>
<number:number-style style:name="N-integer"><number:number number:decimal-places="0" number:min-decimal-places="0" number:min-integer-digits="1"/></number:number-style>
<number:number-style style:name="N-decimal"><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1"/></number:number-style>
<number:text-style style:name="N-text"><number:text-content/></number:text-style>
<style:style style:name="head" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="integer" style:family="table-cell" style:data-style-name="N-integer"/>
<style:style style:name="decimal" style:family="table-cell" style:data-style-name="N-decimal"/>
<style:style style:name="text" style:family="table-cell" style:data-style-name="N-text"/>
<style:style style:name="width-integer" style:family="table-column"><style:table-column-properties style:column-width="2.8cm"/></style:style>
<style:style style:name="width-decimal" style:family="table-column"><style:table-column-properties style:column-width="2.2cm"/></style:style>
<style:style style:name="width-text" style:family="table-column"><style:table-column-properties style:column-width="4.4cm"/></style:style>
</office:automatic-styles>`;

function content(rows: readonly ExportRow[]): string {
  const columns = EXPORT_COLUMNS.map(
    ({ type }) =>
      `<table:table-column table:style-name="width-${type}" table:default-cell-style-name="${type}"/>`,
  );
  const head = EXPORT_COLUMNS.map(({ name }) => textCell(name, ' table:style-name="head"'));
  const lines = rows.map((row) => `${line(EXPORT_COLUMNS.map((column) => cell(row, column)))}\n`);
  return `${XML}<office:document-content xmlns:office="${OASIS}:office:1.0" xmlns:table="${OASIS}:table:1.0" xmlns:text="${OASIS}:text:1.0" xmlns:style="${OASIS}:style:1.0" xmlns:number="${OASIS}:datastyle:1.0" xmlns:fo="${OASIS}:xsl-fo-compatible:1.0" office:version="1.3">
${CONTENT_STYLES}
<office:body><office:spreadsheet><table:table table:name="measurements">
${columns.join('')}
<table:table-header-rows>${line(head)}</table:table-header-rows>
${lines.join('')}</table:table></office:spreadsheet></office:body>
</office:document-content>
`;
}

function line(cells: readonly string[]): string {
  return `<table:table-row>${cells.join('')}</table:table-row>`;
}

/** The markup of a cell, which has the style of its column. */
function cell(row: ExportRow, column: ExportColumn): string {
  const content = cellText(row, column);
  const { name, type } = column;
  if (type === 'text') return textCell(content);
  return `<table:table-cell office:value-type="float" office:value="${row[name]}"><text:p>${content}</text:p></table:table-cell>`;
}

function textCell(text: string, style = ''): string {
  const exact = MARKED.test(text) ? ` office:string-value="${attributeText(text)}"` : '';
  const paragraphs = text.split(/\r\n|\r|\n/).map((one) => `<text:p>${paragraph(one)}</text:p>`);
  return `<table:table-cell${style} office:value-type="string"${exact}>${paragraphs.join('')}</table:table-cell>`;
}

/** White space that a paragraph writes as elements; LibreOffice ignores some, so an attribute repeats the text. */
const MARKED = /[\t\r\n]|^ | $| {2}/;

/** Escapes white space, which a parser would turn into blanks in attributes (XML 1.0 §3.3.3). */
function attributeText(text: string): string {
  return escapeMarkup(text).replaceAll(/[\t\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Writes elements for white space that would collapse otherwise (OpenDocument 1.3, part 3 §6.1.2). */
function paragraph(text: string): string {
  return escapeMarkup(text)
    .replaceAll('\t', '<text:tab/>')
    .replaceAll(/^ | $| {2,}/g, (blanks) => `<text:s text:c="${blanks.length}"/>`);
}
