/** The page on the dataset in English. */
import { DATASET_VERSION } from '../../../hvd/fields.js';
import { APPLICABLE_LEGISLATION } from '../../../hvd/descriptor.js';
import type { ReadmeTexts } from '../../message-catalogue.js';
import { code, facts, link, paragraph, quote, type Block } from '../../prose.js';
import { fileRows, type LegalFacts, type LegalText } from '../legal-messages.js';

export function dataset(
  { operator, snapshot }: LegalFacts,
  files: ReadmeTexts['files'],
): LegalText {
  const title = 'Air quality: hourly observations of the last 30 days';
  return {
    title: 'About the dataset',
    description:
      'Monitoring stations, measured parameters and preliminary hourly means of air quality and weather over the last 30 days.',
    sections: [
      {
        id: 'summary',
        heading: title,
        blocks: [
          paragraph(
            'Hourly means of pollutants and meteorological parameters from the stations of a monitoring network, with the stations and the parameters themselves. It is a high-value dataset of the category “Earth observation and environment” under ',
            link(APPLICABLE_LEGISLATION, 'Implementing Regulation (EU) 2023/138'),
            '.',
          ),
          facts(
            operator && { name: 'Publisher', value: [operator.name] },
            { name: 'Status', value: ['preliminary (', code('preliminary'), '), not validated'] },
            { name: 'Values', value: ['hourly means (', code('hourly_mean'), ')'] },
            snapshot && {
              name: 'Period',
              value: [snapshot.period.from, ' to ', snapshot.period.to],
            },
            { name: 'Retention', value: ['rolling 30 days'] },
            {
              name: 'Refresh',
              value: [
                snapshot?.isDemonstration === true
                  ? 'none: this is a demonstration with measurements of a past time'
                  : 'daily, or more often',
              ],
            },
            snapshot && { name: 'Snapshot made', value: [snapshot.generatedAt] },
            snapshot && { name: 'Snapshot', value: [code(snapshot.id)] },
            snapshot && { name: 'Networks', value: [snapshot.counts.networks] },
            snapshot && { name: 'Stations', value: [snapshot.counts.stations] },
            snapshot && { name: 'Parameters', value: [snapshot.counts.components] },
            snapshot && { name: 'Measurements', value: [snapshot.counts.measurements] },
            {
              name: 'Licence',
              value: [link('/legal/license', 'free reuse with attribution (CC BY-equivalent)')],
            },
            { name: 'Version', value: [DATASET_VERSION] },
          ),
        ],
      },
      {
        id: 'contents',
        heading: 'What is in it',
        blocks: [
          facts(
            {
              name: 'Stations',
              value: [
                'where they stand, what kind of site each one is, and who operates it: ',
                link('/api/v1/stations', '/api/v1/stations'),
              ],
            },
            {
              name: 'Parameters',
              value: [
                'what is measured and in which unit: ',
                link('/api/v1/parameters', '/api/v1/parameters'),
              ],
            },
            {
              name: 'Observations',
              value: [
                'the mean of each hour, station and parameter: ',
                link('/api/v1/observations/latest', '/api/v1/observations/latest'),
                ' (newest), ',
                code('/api/v1/observations'),
                ' (filtered), ',
                code('/api/v1/observations/stream'),
                ' (line by line)',
              ],
            },
          ),
          paragraph(
            'Times are UTC. An interval lasts exactly one hour; its start belongs to it, its end does not. An hour without a measurement is null. Every field is explained in the ',
            link('/api/v1/data-dictionary', 'data dictionary'),
            '.',
          ),
        ],
      },
      {
        id: 'files',
        heading: 'Files',
        blocks: [
          ...fileBlocks({ snapshot, operator }, files),
          paragraph(
            'The ',
            link('/api/v1/bulk', 'index of files'),
            ' has the checksum of each. Single series as CSV, XLSX or ODS are to be had in the ',
            link('/', 'portal'),
            '.',
          ),
        ],
      },
      {
        id: 'access',
        heading: 'For programs',
        blocks: [
          facts(
            {
              name: 'Documentation',
              value: [
                link('/api-docs', 'with examples'),
                ', ',
                link('/docs', 'Swagger UI'),
                ', ',
                link('/redoc', 'Redoc'),
              ],
            },
            {
              name: 'Description',
              value: [link('/openapi.json', 'OpenAPI 3.1'), ', ', link('/llms.txt', 'plain text')],
            },
            { name: 'Catalogue', value: [link('/api/v1/dcat', 'DCAT-AP HVD 2.2.0, JSON-LD')] },
            { name: 'Descriptor', value: [link('/api/v1/metadata', 'the dataset in brief, JSON')] },
            { name: 'Dictionary', value: [link('/api/v1/data-dictionary', 'all fields, JSON')] },
          ),
        ],
      },
      {
        id: 'citation',
        heading: 'How to cite it',
        blocks: [
          quote(
            `${operator?.name ?? '[operator]'}: ${title}. Preliminary data, snapshot of ${snapshot?.citedAt ?? '[YYYY-MM-DD HH:MM UTC]'}${snapshot === undefined ? '' : ` (${snapshot.id})`}.`,
          ),
          paragraph('Add the address of this page and the day on which you downloaded the data.'),
        ],
      },
    ],
  };
}

function fileBlocks({ snapshot }: LegalFacts, files: ReadmeTexts['files']): readonly Block[] {
  if (snapshot === undefined || snapshot.files.length === 0) {
    return [paragraph('The files are listed here while data are available.')];
  }
  return [
    {
      kind: 'table',
      caption: 'The whole dataset, as the active snapshot has it',
      head: ['File', 'Holds', 'Format', 'Size'],
      rows: fileRows(snapshot, {
        ...files,
        'README.md': 'Notes and the data dictionary, in English and Serbian.',
      }),
    },
  ];
}
