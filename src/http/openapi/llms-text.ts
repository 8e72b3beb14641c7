/** `/llms.txt`: the API as one page of Markdown, made by the build from the table of routes. */
import { BASE_URL_PLACEHOLDER } from '../../views/base-url.js';
import { DESCRIPTOR_LINKS } from '../../views/hvd/descriptor.js';
import { licenseOf } from '../../views/operator-links.js';
import { RECIPES_PATH } from '../../views/pages/page.js';
import { TAGS } from './operation.js';
import type { ApiWords, DescribedEndpoint, DescribedParameter } from './words.js';

/** The page; each tag is a heading, with its endpoints in the order of the table. */
export function viewLlmsText({ title, introduction, endpoints }: ApiWords): string {
  const [summary = '', ...paragraphs] = introduction.split('\n\n');
  const sections = Object.entries(TAGS).map(([tag, description]) => {
    const own = endpoints.filter(({ operation }) => operation.tag === tag);
    return [`## ${tag}`, description, own.map(endpointText).join('\n')];
  });
  return `${[
    `# ${title}`,
    `> ${oneLine(summary)}`,
    ...paragraphs.map(oneLine),
    [
      `- [OpenAPI 3.1](${BASE_URL_PLACEHOLDER}${DESCRIPTOR_LINKS.openapi}): the same for programs, with schemas of all answers and examples.`,
      `- [Recipes](${BASE_URL_PLACEHOLDER}${RECIPES_PATH}?language=en): programs to copy, for curl, Python (pandas, polars), R (openair), DuckDB, JavaScript, Observable Plot, Excel, LibreOffice, Grafana, Home Assistant, QGIS and the Model Context Protocol.`,
      `- [Terms of use](${BASE_URL_PLACEHOLDER}${DESCRIPTOR_LINKS.terms})`,
      `- [Licence](${BASE_URL_PLACEHOLDER}${licenseOf().url}): ${licenseOf().name}`,
    ].join('\n'),
    ...sections.flat(),
  ].join('\n\n')}\n`;
}

/** One endpoint as a list item with its parameters below. A path with parameters is not a link. */
function endpointText({ path, parameters, operation }: DescribedEndpoint): string {
  const url = BASE_URL_PLACEHOLDER + path;
  const name = path.includes('{') ? `GET \`${url}\`` : `[GET ${path}](${url})`;
  const types = operation.content.map(({ mediaType }) => mediaType).join(', ');
  const words = [
    sentence(operation.summary),
    oneLine(operation.description),
    ...(types === '' ? [] : [`Answers ${types}.`]),
  ];
  return [
    `- ${name}: ${words.join(' ')}`,
    ...Object.entries(parameters).map(([parameter, about]) => parameterText(parameter, about)),
  ].join('\n');
}

function parameterText(
  name: string,
  { in: place, required, description, schema, example }: DescribedParameter,
): string {
  const { enum: choices, default: fallback } = schema;
  const facts = [
    required ? `${place}, required` : place,
    ...(Array.isArray(choices) ? [`one of ${choices.join(', ')}`] : []),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
    ...(example === undefined ? [] : [`for example ${String(example)}`]),
  ];
  return `  - \`${name}\` (${facts.join('; ')}): ${oneLine(description)}`;
}

function oneLine(text: string): string {
  const words = text.split(/\s/).filter((word) => word !== '');
  return words.join(' ');
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
