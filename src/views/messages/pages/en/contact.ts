/** The contact page in English. */
import { code, facts, link, list, paragraph, type Block } from '../../prose.js';
import type { ContactKind, LegalFacts, LegalText, Operator } from '../legal-messages.js';

export function contact({ operator }: LegalFacts): LegalText {
  return {
    title: 'Contact',
    description: 'Who operates the monitoring network and answers questions about the data.',
    sections: [
      { id: 'operator', heading: 'Operator', blocks: operatorBlocks(operator) },
      {
        id: 'data',
        heading: 'Questions about the data',
        blocks: [
          paragraph('So that a question can be answered, please state:'),
          list(
            ['the station and the parameter;'],
            ['date and hour, in UTC;'],
            [
              'the snapshot: ',
              code('snapshot_id'),
              ' in ',
              link('/meta', '/meta'),
              ', or the field ',
              code('X-Snapshot-Id'),
              ' of the answer.',
            ],
          ),
          paragraph(
            'Please read first what ',
            link('/legal/terms#preliminary', 'preliminary data'),
            ' are.',
          ),
        ],
      },
      {
        id: 'service',
        heading: 'Faults of the service',
        blocks: [
          paragraph(
            'Please state the full address that you asked for, the time, and the status and text of the answer. Whether the service itself knows of a fault is to be seen at ',
            link('/health/ready', '/health/ready'),
            '.',
          ),
        ],
      },
      {
        id: 'machines',
        heading: 'For programs',
        blocks: [
          paragraph(
            'The same contact is part of the ',
            link('/api/v1/dcat', 'catalogue'),
            ' (',
            code('dcat:contactPoint'),
            ') and of ',
            link('/organizations', '/organizations'),
            '.',
          ),
        ],
      },
    ],
  };
}

function operatorBlocks(operator: Operator | undefined): readonly Block[] {
  if (operator === undefined) {
    return [
      paragraph(
        'The operator is named here as soon as data are available again. Until then, please turn to the public authority whose network you are asking about.',
      ),
    ];
  }
  const known = operator.contact.map(({ kind, value }) => ({ name: CONTACT_NAMES[kind], value }));
  return [
    facts(
      { name: 'Name', value: [operator.name] },
      operator.shortName === operator.name
        ? undefined
        : { name: 'Short name', value: [operator.shortName] },
      ...known,
    ),
    ...(operator.description === undefined ? [] : [paragraph(operator.description)]),
    ...(known.length > 0
      ? []
      : [
          paragraph(
            'The operator publishes no address with the data. Please use the contact details that it announces elsewhere, and mention this page.',
          ),
        ]),
  ];
}

const CONTACT_NAMES: Readonly<Record<ContactKind, string>> = {
  person: 'Contact person',
  email: 'E-mail',
  telephone: 'Telephone',
  address: 'Address',
  website: 'Website',
};
