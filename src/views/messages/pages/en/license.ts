/** The page on the licence in English. */
import { code, link, list, note, paragraph, quote, strong } from '../../prose.js';
import type { LegalFacts, LegalText } from '../legal-messages.js';
import { ACT } from './act.js';

export function license({ operator, snapshot }: LegalFacts): LegalText {
  return {
    title: 'Licence',
    description:
      'The data are open: anybody may reuse them for any purpose and free of charge, as long as the source is named.',
    sections: [
      {
        id: 'summary',
        heading: 'In short',
        blocks: [
          list(
            [
              strong('You may'),
              ' copy the data, pass them on, change them, combine them with other data and build them into your own products and services.',
            ],
            [strong('For any purpose'), ', commercial ones included.'],
            [strong('Free of charge'), ', without an application, a contract or registration.'],
            [strong('On one condition'), ': name the source.'],
          ),
        ],
      },
      {
        id: 'law',
        heading: 'Legal basis',
        blocks: [
          paragraph(
            `The data are open data under Article 26 of the ${ACT} of the Republic of Serbia (Zakon o elektronskoj upravi, “Službeni glasnik RS”, No. 27/18), which governs their reuse.`,
          ),
          paragraph(
            'In effect, this is the same as the licence ',
            link(
              'https://creativecommons.org/licenses/by/4.0/',
              'Creative Commons Attribution 4.0 International (CC BY 4.0)',
            ),
            ': free reuse with attribution. Whatever you may do with data under CC BY 4.0, you may do with these.',
          ),
          note(
            'This page explains the law and does not replace it. Where the two differ, the text of the law prevails.',
          ),
        ],
      },
      {
        id: 'scope',
        heading: 'What it covers',
        blocks: [
          paragraph(
            'All data that this service publishes: stations, parameters, hourly means, the ',
            link('/legal/dataset#files', 'files for download'),
            ', the exported tables, the ',
            link('/api/v1/data-dictionary', 'data dictionary'),
            ' and the ',
            link('/api/v1/dcat', 'catalogue'),
            '.',
          ),
        ],
      },
      {
        id: 'attribution',
        heading: 'How to name the source',
        blocks: [
          paragraph('Wherever you use the data, state:'),
          list(
            ['the name of the operator;'],
            ['that the data are preliminary;'],
            [
              'the time at which the snapshot that you used was made: ',
              code('generated_at'),
              ' in ',
              link('/meta', '/meta'),
              ';',
            ],
            ['if you have changed the data, that you have.'],
          ),
          paragraph('For example:'),
          quote(
            `${operator?.name ?? '[operator]'}, preliminary hourly air-quality data, snapshot of ${snapshot?.citedAt ?? '[YYYY-MM-DD HH:MM UTC]'}. Open data under Article 26 of the ${ACT} (CC BY-equivalent).`,
          ),
          paragraph(
            'Any wording that says the same will do. On a small surface the name of the operator is enough, with a link to the rest.',
          ),
        ],
      },
      {
        id: 'limits',
        heading: 'What it does not give you',
        blocks: [
          list(
            ['The right to suggest that the operator supports you or your use of the data.'],
            [
              'A warranty of any kind. The data are preliminary: see the ',
              link('/legal/terms', 'terms of use'),
              '.',
            ],
          ),
        ],
      },
    ],
  };
}
