/** Recipes: programs to copy (`/api-docs/recipes`), with code in `data/recipes` and words in messages. */

/** Tools in the order of the page; the names of recipes are those of their files. */
export const RECIPE_TOOLS = [
  {
    id: 'curl',
    name: 'curl',
    recipes: [
      'curl/month.sh',
      'curl/dataset.sh',
      'curl/conditional.sh',
      'curl/changes.sh',
      'curl/events.sh',
    ],
  },
  {
    id: 'python',
    name: 'Python, pandas',
    recipes: [
      'python/daily.py',
      'python/wide.py',
      'python/years.py',
      'python/files.py',
      'python/stream.py',
      'python/poll.py',
    ],
  },
  { id: 'polars', name: 'Python, polars', recipes: ['polars/weekends.py'] },
  {
    id: 'r',
    name: 'R',
    recipes: ['r/daily.R', 'r/years.R', 'r/openair.R', 'r/edr4r.R', 'r/files.R', 'r/poll.R'],
  },
  {
    id: 'duckdb',
    name: 'DuckDB',
    recipes: ['duckdb/remote.sql', 'duckdb/years.sql', 'duckdb/files.sh', 'duckdb/local.sql'],
  },
  {
    id: 'javascript',
    name: 'JavaScript',
    recipes: ['javascript/map.html', 'javascript/follow.js', 'javascript/poll.mjs'],
  },
  { id: 'leaflet', name: 'Leaflet', recipes: ['leaflet/ogc.html'] },
  { id: 'openlayers', name: 'OpenLayers', recipes: ['openlayers/ogc.html'] },
  { id: 'observable-plot', name: 'Observable Plot', recipes: ['observable-plot/hours.html'] },
  { id: 'excel', name: 'Excel, Power Query', recipes: ['excel/month.pq', 'excel/year.pq'] },
  { id: 'libreoffice', name: 'LibreOffice', recipes: ['libreoffice/year.sh'] },
  {
    id: 'grafana',
    name: 'Grafana, Infinity',
    recipes: ['grafana/datasource.yaml', 'grafana/panel.json', 'grafana/dashboard.json'],
  },
  {
    id: 'home-assistant',
    name: 'Home Assistant',
    recipes: ['home-assistant/rest.yaml', 'home-assistant/nearest.yaml'],
  },
  { id: 'scriptable', name: 'Scriptable', recipes: ['scriptable/nearest.js'] },
  { id: 'qgis', name: 'QGIS', recipes: ['qgis/ogc.py', 'qgis/layers.py', 'qgis/geopackage.sh'] },
  { id: 'gdal', name: 'GDAL', recipes: ['gdal/ogc.sh'] },
  { id: 'mcp', name: 'Model Context Protocol', recipes: ['mcp/server.mjs'] },
] as const;

export type RecipeName = (typeof RECIPE_TOOLS)[number]['recipes'][number];

/** The service's address in the files, without a slash at its end. */
export const RECIPE_BASE_URL = 'http://localhost:8080';

/** Names of programming languages, by file extension. */
const CODE_LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  py: 'Python',
  R: 'R',
  sql: 'SQL',
  html: 'HTML',
  js: 'JavaScript',
  mjs: 'JavaScript',
  pq: 'Power Query M',
  yaml: 'YAML',
  json: 'JSON',
};

export function recipeLanguage(name: RecipeName): string {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return CODE_LANGUAGES[ending] ?? ending;
}

/** The fragment of a recipe on the page and in `recipes.md`. */
export function recipeId(name: RecipeName): string {
  return name.replaceAll(/[/.]/g, '-');
}
