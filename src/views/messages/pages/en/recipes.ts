/** The page of recipes in English; `docs/recipes.md` is made of it. */
import { RECIPE_STATION } from '../../../recipes.js';
import { code } from '../../prose.js';
import type { RecipesTexts } from '../recipes-messages.js';

const WHEN_NEW = 'Only when there is something new';

export const recipesEnglish: RecipesTexts = {
  title: 'Recipes',
  description:
    'Programs to copy for what people do with the data: download, analyse and show them, and notice what is new.',
  introduction: [
    [
      'Each of them runs as it is. ',
      code(RECIPE_STATION),
      ' is one of the stations: put the one there that you want, ',
      code('/api/v1/stations'),
      ' lists them all. The codes of parameters are in ',
      code('/api/v1/parameters'),
      '. Times are in UTC; where days are counted, they are those of ',
      code('Europe/Belgrade'),
      '.',
    ],
    [
      'A program that asks again and again asks conditionally: it sends the ',
      code('ETag'),
      ' of the answer that it has, and gets 304 without a body until there is another one. What cannot do that asks seldom and for little.',
    ],
  ],
  contents: 'Tools',
  copy: 'Copy',
  copied: 'Copied',
  recipes: {
    'curl/month.sh': {
      title: 'A month of one station as CSV',
      text: [
        'The last 30 days, a line for each hour and a column for each parameter. ',
        code('from'),
        ' and ',
        code('to'),
        ' choose a part of them; without ',
        code('layout=wide'),
        ' every value has a line of its own.',
      ],
    },
    'curl/dataset.sh': {
      title: 'The whole dataset, resumed and verified',
      text: [
        'Downloads the file only if its checksum is not that of the file that is here. A download that broke off goes on where it stopped. If the data have changed in between, the checksum shows it and the file is removed: run the lines again.',
      ],
    },
    'curl/conditional.sh': {
      title: WHEN_NEW,
      text: [
        'For a job that runs every few minutes. Prints 200 after a download, or 304, and then the file stays as it is. The ',
        code('ETag'),
        ' is kept in a file of its own.',
      ],
    },
    'curl/changes.sh': {
      title: 'Only the rows that have changed',
      text: [
        'The first run reads all observations, each later one only what was added, changed or withdrawn since. If that is too long ago, the answer is 410: remove ',
        code('snapshot-id'),
        ' and begin again. It needs curl 7.84 or later.',
      ],
    },
    'curl/events.sh': {
      title: 'Notified at once',
      text: [
        'The connection stays open, and a line comes whenever the data have changed. Put what you want to do then in the place of ',
        code('echo'),
        '.',
      ],
    },
    'python/daily.py': {
      title: 'Daily means of one station',
      text: [
        'Reads CSV into a table with a column for each parameter. A day with fewer than 18 hours has no mean.',
      ],
    },
    'python/wide.py': {
      title: 'The course of an average day',
      text: [
        'The wide layout is a table already: a row for each hour, a column for each parameter.',
      ],
    },
    'python/stream.py': {
      title: 'All observations, one at a time',
      text: [
        'The whole dataset as lines of JSON, however large it is, in little memory: here the highest value of each parameter. It needs no library.',
      ],
    },
    'python/poll.py': {
      title: WHEN_NEW,
      text: [
        'Asks every ten minutes, and reads the newest values again only when they are others. Whatever goes wrong is printed, and asked for again ten minutes later.',
      ],
    },
    'r/daily.R': {
      title: 'Daily means and a chart',
      text: ['Base R does it, without a package.'],
    },
    'r/poll.R': {
      title: WHEN_NEW,
      text: [
        'Asks every ten minutes with the ',
        code('ETag'),
        ' of the last answer, by the package ',
        code('curl'),
        '.',
      ],
    },
    'duckdb/remote.sql': {
      title: 'Questions to the file on the server',
      text: [
        'DuckDB reads only those parts of the Parquet file that the question needs. The first time it fetches its extension ',
        code('httpfs'),
        ' from the internet.',
      ],
    },
    'duckdb/files.sh': {
      title: 'Download the files, and again only when they are new',
      text: [
        'For more than a few questions. Prints 200 or 304 for each file; the ',
        code('ETag'),
        ' is kept beside it.',
      ],
    },
    'duckdb/local.sql': {
      title: 'The ten worst days',
      text: [
        'Of the files that the previous recipe has downloaded, in the same folder: days by the mean of ',
        code('PM10'),
        ', with the names of stations.',
      ],
    },
    'javascript/follow.js': {
      title: 'In a browser: values that stay up to date',
      text: [
        'For a page of any site. Reads the selected values once and then, whenever the service reports new data, only what has changed. If that cannot be told any more, all is read again.',
      ],
    },
    'javascript/poll.mjs': {
      title: `In Node: ${WHEN_NEW.toLowerCase()}`,
      text: [
        'Asks every ten minutes with the ',
        code('ETag'),
        ' of the last answer. A browser does the same by itself with ',
        code("fetch(url, { cache: 'no-cache' })"),
        '.',
      ],
    },
    'excel/month.pq': {
      title: 'A month of one station as a table',
      text: [
        'Choose Data, Get Data, From Other Sources, Blank Query, then Advanced Editor: put this in the place of what is there, and choose Anonymous when you are asked for credentials. Numbers are read right whatever the language of Windows, and times are in UTC. Refresh reads the rows again; Excel cannot ask conditionally.',
      ],
    },
    'grafana/datasource.yaml': {
      title: 'The data source',
      text: [
        'For the plugin ',
        code('yesoreyeram-infinity-datasource'),
        ', as a file in ',
        code('provisioning/datasources'),
        '.',
      ],
    },
    'grafana/panel.json': {
      title: 'A chart of the chosen period',
      text: [
        'A panel for the ',
        code('panels'),
        ' of a dashboard, or for Inspect, Panel JSON. Grafana puts the ends of its period into ',
        code('from'),
        ' and ',
        code('to'),
        '. The plugin does not ask conditionally: have the dashboard refreshed no more often than every ten minutes.',
      ],
    },
    'home-assistant/rest.yaml': {
      title: 'Two sensors with one request',
      text: [
        'For ',
        code('configuration.yaml'),
        '. Both sensors are read from one answer, every 15 minutes. Home Assistant does not ask conditionally, so ask only for what you show.',
      ],
    },
    'qgis/layers.py': {
      title: 'The newest values on a map',
      text: [
        'For the Python console: stations, newest values, and a layer that joins them. It needs QGIS 3.22 or later. By hand, the stations alone: Add Vector Layer, Protocol, and the address of ',
        code('stations.geojson'),
        '.',
      ],
    },
    'qgis/geopackage.sh': {
      title: 'The same as one file',
      text: [
        'A GeoPackage that needs no network any more, made by GDAL, the library with which QGIS reads files.',
      ],
    },
  },
};
