/** The documentation pages in English. */
import { code, commands, facts, link, list, paragraph, type Section } from '../../prose.js';
import type { DocumentationTexts } from '../documentation-messages.js';

const OTHERWISE = [
  'The same is to be had as ',
  link('/openapi.json', 'OpenAPI document'),
  '; what the data are is on the page ',
  link('/legal/dataset', 'About the dataset'),
  '.',
];

export const documentationEnglish: DocumentationTexts = {
  pages: {
    'api-docs': {
      title: 'API documentation',
      description:
        'The open-data API: where to begin, which formats there are, and every operation to try out in the page.',
      sections: [start(), formats(), caching(), more()],
    },
    docs: {
      title: 'API reference: Swagger UI',
      description:
        'Every operation of the open-data API, with its parameters and answers, to try out in the page.',
      sections: [],
    },
    redoc: {
      title: 'API reference: Redoc',
      description:
        'Every operation of the open-data API, with its parameters and answers, to read on one page.',
      sections: [],
    },
  },
  viewer: 'All operations',
  inEnglish: 'The description of the API is in English.',
  loading: 'Loading the description of the API…',
  withoutScripts: ['This reference needs JavaScript, which is switched off here. ', ...OTHERWISE],
  failed: ['The reference could not be loaded. ', ...OTHERWISE],
};

function start(): Section {
  return {
    id: 'start',
    heading: 'Where to begin',
    blocks: [
      paragraph(
        'All addresses begin with ',
        code('$BASE_URL'),
        ', the address of this service. There is nothing to apply for: no registration, no key, no limit to requests.',
      ),
      commands(
        'curl $BASE_URL/meta',
        'curl $BASE_URL/api/v1/observations/latest',
        'curl --compressed $BASE_URL/api/v1/observations/stream | head -n 3',
      ),
      list(
        ['The first call tells which snapshot is active and when it was made.'],
        ['The second one gives the newest value of every station and parameter.'],
        ['The third one reads all observations of the last 30 days, a line each.'],
      ),
      paragraph(
        'Programs for Python, R, Excel, Grafana and others are on the page ',
        link('/api-docs/recipes', 'Recipes'),
        ', to be copied.',
      ),
    ],
  };
}

function formats(): Section {
  return {
    id: 'formats',
    heading: 'Formats',
    blocks: [
      facts(
        { name: 'JSON', value: ['all data and metadata; UTF-8, times in UTC'] },
        {
          name: 'NDJSON',
          value: [code('/api/v1/observations/stream'), ': one JSON object a line'],
        },
        {
          name: 'CSV',
          value: [
            code('/api/v1/observations.csv'),
            ': the observations that you select, one a line or, with ',
            code('layout=wide'),
            ', a column for each parameter',
          ],
        },
        {
          name: 'CSV, Parquet, GeoJSON',
          value: [link('/legal/dataset#files', 'files'), ' of the whole dataset'],
        },
        {
          name: 'CSV, XLSX, ODS',
          value: [code('/portal/export'), ': one series as a table'],
        },
        { name: 'JSON-LD', value: [link('/api/v1/dcat', 'catalogue'), ', DCAT-AP HVD 2.2.0'] },
      ),
    ],
  };
}

function caching(): Section {
  return {
    id: 'caching',
    heading: 'Ask only for what is new',
    blocks: [
      paragraph(
        'Every answer has an ',
        code('ETag'),
        '. Send it back, and the answer is 304 without a body for as long as nothing has changed:',
      ),
      commands('curl -H \'If-None-Match: W/"…"\' $BASE_URL/api/v1/observations/latest'),
      paragraph('With ', code('Accept-Encoding: gzip'), ' answers are about a tenth as large.'),
    ],
  };
}

function more(): Section {
  return {
    id: 'more',
    heading: 'Read on',
    blocks: [
      list(
        [link('/api/v1/data-dictionary', 'Data dictionary'), ': every field explained'],
        [link('/api/v1/bulk', 'Index of files'), ': the whole dataset for download'],
        [link('/api-docs/recipes', 'Recipes'), ': programs to copy'],
        [link('/api/v1/dcat', 'Catalogue'), ': for harvesters of open data'],
        [link('/openapi.json', 'OpenAPI 3.1'), ': the description of the API for programs'],
        [
          link('/llms.txt', '/llms.txt'),
          ': the same as plain text, for language models and people',
        ],
        [link('/docs', 'Swagger UI'), ' and ', link('/redoc', 'Redoc'), ': the reference alone'],
        [link('/legal/terms', 'Terms of use'), ' and ', link('/legal/license', 'licence')],
      ),
    ],
  };
}
