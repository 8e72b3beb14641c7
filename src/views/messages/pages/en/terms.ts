/** The page on the terms of use in English. */
import { code, link, list, note, paragraph, strong } from '../../prose.js';
import type { LegalFacts, LegalText } from '../legal-messages.js';
import { ACT } from './act.js';

export function terms({ operator }: LegalFacts): LegalText {
  return {
    title: 'Terms of use',
    description:
      'What the data are and what they are not, how long they are kept, what is expected of users, and what is recorded about them.',
    sections: [
      {
        id: 'license',
        heading: 'Licence',
        blocks: [
          paragraph(
            `The data may be reused freely, for any purpose, with attribution, under Article 26 of the ${ACT}; in effect the same as CC BY 4.0. The page `,
            link('/legal/license', 'Licence'),
            ' says how to name the source.',
          ),
        ],
      },
      {
        id: 'preliminary',
        heading: 'Preliminary data',
        blocks: [
          note(
            strong('The data are preliminary.'),
            ' They are published automatically, as the instruments report them, and nobody has validated them.',
          ),
          paragraph(
            'They may later be changed or withdrawn without notice. Values can be wrong because of a fault, a calibration or a break in transmission, and hours can be missing. A newer snapshot takes the place of the older one.',
          ),
        ],
      },
      {
        id: 'retention',
        heading: 'Thirty days',
        blocks: [
          paragraph(
            'The service holds the 30 days before the active snapshot was made. This window moves on with every snapshot: older hours are no longer to be had here. If you need a longer series, keep what you download.',
          ),
        ],
      },
      {
        id: 'regulatory',
        heading: 'Not for regulatory use',
        blocks: [
          paragraph(
            'The data are information for the public. They are neither meant nor fit for assessing compliance with limit values, for official reporting or as evidence in proceedings, and they say nothing of whether a limit was exceeded. For such purposes only validated data will do, and those are not published here.',
          ),
        ],
      },
      {
        id: 'warranty',
        heading: 'No warranty',
        blocks: [
          paragraph(
            'The data and the service are provided as they are, without a warranty that they are correct, complete, up to date or fit for a particular purpose. Whoever uses them does so at their own risk. What can be expected of the service is on the page ',
            link('/legal/qos', 'Quality of service'),
            '.',
          ),
        ],
      },
      {
        id: 'use',
        heading: 'Fair use',
        blocks: [
          paragraph(
            'There is no registration, no key and no limit to the number of requests. A few habits keep it so:',
          ),
          list(
            [
              'ask for ',
              link('/meta', '/meta'),
              ' first, and for data only when ',
              code('snapshot_id'),
              ' has changed, or send the ',
              code('ETag'),
              ' that you have in ',
              code('If-None-Match'),
              ';',
            ],
            [
              'take the whole dataset from the ',
              link('/legal/dataset#files', 'files'),
              ', not station by station;',
            ],
            ['accept compressed answers (', code('Accept-Encoding: gzip'), ').'],
          ),
        ],
      },
      {
        id: 'privacy',
        heading: 'Privacy',
        blocks: [
          list(
            [strong('No personal data'), ' are in the dataset, and none are asked of you.'],
            [
              strong('No cookies'),
              ', no tracking, no statistics of visitors, and nothing on the pages comes from another server. Language and theme are kept in the address of the page.',
            ],
            [
              strong('No log of requests.'),
              ' The service counts its answers by kind and status, without addresses. A line is written only about the service itself: its start and end, a new snapshot, a fault; where a request caused the fault, its path, without the address it came from.',
            ],
          ),
          paragraph(
            'Network equipment in front of the service can keep logs of its own for security; ask the ',
            link('/legal/contact', 'contact'),
            ' about them.',
          ),
        ],
      },
      {
        id: 'contact',
        heading: 'Contact',
        blocks: [
          paragraph(
            `${operator === undefined ? 'The operator of the network is' : `The operator of the network is ${operator.name}, which is`} responsible for the data. How to reach it is on the page `,
            link('/legal/contact', 'Contact'),
            '.',
          ),
        ],
      },
    ],
  };
}
