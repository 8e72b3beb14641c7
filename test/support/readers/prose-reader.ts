/** What a page of prose says and where it leads, read from the HTML of its sections. */
import { unescapeHtml } from './html.js';

interface Prose {
  readonly heading: string;
  readonly html: string;
}

/** All that a reader sees, in order, without commands, which are no prose. */
export function textOf(sections: readonly Prose[]): string {
  return sections
    .map(({ heading, html }) => {
      const lines = html
        .replaceAll(/<pre .*?<\/pre>/gs, '')
        .replaceAll(/<\/(?:p|li|dt|dd|caption|th|td)>/g, '\n');
      return `${heading}\n${unescapeHtml(lines.replaceAll(/<[^>]*>/g, ''))}`;
    })
    .join('\n');
}

export function linksOf(sections: readonly Prose[]): readonly string[] {
  return sections.flatMap(({ html }) =>
    [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => unescapeHtml(href)),
  );
}

/** Words that a Cyrillic page is right to write in Latin letters: names and codes. */
const CODES =
  /\b(?:API|HVD|CC BY(?: 4\.0)?|Creative Commons|CSV|XLSX|ODS|JSON(?:-LD)?|NDJSON|GeoJSON|Apache Parquet|Parquet|UTC|UTF-8|CRLF|RFC|SHA-256|WGS84|EU|DCAT-AP|OpenAPI|Swagger UI|Redoc|JavaScript|Python|Excel|Grafana|README|Markdown|null|CES?T|[kMG]B)\b/g;

/** Words in Latin letters that are neither among `known`, nor code, nor addresses. */
export function latinWords(
  sections: readonly Prose[],
  known: readonly string[],
): readonly string[] {
  const prose = sections.map(({ heading, html }) =>
    textOf([{ heading, html: html.replaceAll(/<code>.*?<\/code>/gs, '') }]),
  );
  return prose.flatMap((text) => {
    let rest = known.reduce((left, name) => left.replaceAll(name, ''), text);
    rest = rest.replaceAll(
      /(?:https?:)?\/[\w./?=-]+|[\w.+-]+@[\w.-]+|[\w-]+\.(?:csv|json|geojson|parquet|md)|SHA256SUMS/g,
      '',
    );
    return rest.replaceAll(CODES, '').match(/[A-Za-zčćžšđČĆŽŠĐ]{2,}/g) ?? [];
  });
}
