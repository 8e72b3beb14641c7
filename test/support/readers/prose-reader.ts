/** What a page of prose says and where it leads, read from the context of its template. */
import type { InlineContext, SectionContext } from '../../../src/views/pages/prose-layout.js';

/** All that a reader sees, in order. */
export function textOf(sections: readonly SectionContext[]): string {
  return sections
    .flatMap((section) => [section.heading, ...lines(section).map(textOfInlines)])
    .join('\n');
}

export function linksOf(sections: readonly SectionContext[]): readonly string[] {
  return sections.flatMap((section) =>
    lines(section).flatMap((inlines) => inlines.flatMap(({ href }) => (href === '' ? [] : [href]))),
  );
}

/** Words that a Cyrillic page is right to write in Latin letters: names and codes. */
const CODES =
  /\b(?:API|HVD|CC BY(?: 4\.0)?|Creative Commons|CSV|XLSX|ODS|JSON(?:-LD)?|NDJSON|GeoJSON|Apache Parquet|Parquet|UTC|UTF-8|CRLF|RFC|SHA-256|WGS84|EU|DCAT-AP|OpenAPI|Swagger UI|Redoc|JavaScript|Python|Excel|Grafana|README|Markdown|null|CES?T|[kMG]B)\b/g;

/** Words in Latin letters that are neither among `known`, nor code, nor addresses. */
export function latinWords(
  sections: readonly SectionContext[],
  known: readonly string[],
): readonly string[] {
  const prose = sections.flatMap((section) => [
    section.heading,
    ...lines(section)
      .flat()
      .filter(({ kind }) => kind !== 'code')
      .map(({ text }) => text),
  ]);
  return prose.flatMap((text) => {
    let rest = known.reduce((left, name) => left.replaceAll(name, ''), text);
    rest = rest.replaceAll(
      /(?:https?:)?\/[\w./?=-]+|[\w.+-]+@[\w.-]+|[\w-]+\.(?:csv|json|geojson|parquet|md)|SHA256SUMS/g,
      '',
    );
    return rest.replaceAll(CODES, '').match(/[A-Za-zčćžšđČĆŽŠĐ]{2,}/g) ?? [];
  });
}

/** The lines of a section but for commands, which are no prose. */
function lines({ blocks }: SectionContext): readonly (readonly InlineContext[])[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'paragraph':
      case 'note':
      case 'quote':
        return [block.inlines];
      case 'list':
        return block.items;
      case 'facts':
        return block.facts.flatMap(({ name, value }) => [[plain(name)], value]);
      case 'table':
        return [[block.caption, ...block.head].map(plain), ...block.rows.flat()];
      case 'commands':
        return [];
    }
  });
}

function plain(text: string): InlineContext {
  return { kind: 'text', text, href: '', utc: '' };
}

function textOfInlines(inlines: readonly InlineContext[]): string {
  return inlines.map(({ text }) => text).join('');
}
