/** The contact page in Serbian, written in Latin script. */
import type { Script } from '../../../transliterate.js';
import { code, facts, link, list, paragraph, type Block } from '../../prose.js';
import type { ContactKind, LegalFacts, LegalText, Operator } from '../legal-messages.js';

export function contact(t: Script, { operator }: LegalFacts): LegalText {
  return {
    title: t`Kontakt`,
    description: t`Ko upravlja mernom mrežom i odgovara na pitanja o podacima.`,
    sections: [
      { id: 'operator', heading: t`Operater`, blocks: operatorBlocks(t, operator) },
      {
        id: 'data',
        heading: t`Pitanja o podacima`,
        blocks: [
          paragraph(t`Da bi se na pitanje moglo odgovoriti, navedite:`),
          list(
            [t`mernu stanicu i parametar;`],
            [t`datum i sat, po ${'UTC'};`],
            [
              t`presek podataka: `,
              code('snapshot_id'),
              t` u odgovoru `,
              link('/meta', '/meta'),
              t` ili polje `,
              code('X-Snapshot-Id'),
              t` u zaglavlju odgovora.`,
            ],
          ),
          paragraph(
            t`Pre toga pročitajte šta su `,
            link('/legal/terms#preliminary', t`preliminarni podaci`),
            '.',
          ),
        ],
      },
      {
        id: 'service',
        heading: t`Smetnje u radu servisa`,
        blocks: [
          paragraph(
            t`Navedite punu adresu koju ste pozvali, vreme, kao i status i tekst odgovora. Da li je smetnja servisu već poznata, vidi se na adresi `,
            link('/health/ready', '/health/ready'),
            '.',
          ),
        ],
      },
      {
        id: 'machines',
        heading: t`Za programe`,
        blocks: [
          paragraph(
            t`Isti kontakt sadrže i `,
            link('/api/v1/dcat', t`katalog`),
            ' (',
            code('dcat:contactPoint'),
            t`) i odgovor `,
            link('/organizations', '/organizations'),
            '.',
          ),
        ],
      },
    ],
  };
}

function operatorBlocks(t: Script, operator: Operator | undefined): readonly Block[] {
  if (operator === undefined) {
    return [
      paragraph(
        t`Naziv operatera biće prikazan čim podaci ponovo budu dostupni. Do tada se obratite organu čija vas merna mreža zanima.`,
      ),
    ];
  }
  const names: Readonly<Record<ContactKind, string>> = {
    person: t`Osoba za kontakt`,
    email: t`Elektronska pošta`,
    telephone: t`Telefon`,
    address: t`Adresa`,
    website: t`Veb-sajt`,
  };
  return [
    facts(
      { name: t`Naziv`, value: [operator.name] },
      operator.shortName === operator.name
        ? undefined
        : { name: t`Skraćeni naziv`, value: [operator.shortName] },
      ...operator.contact.map(({ kind, value }) => ({ name: names[kind], value })),
    ),
    ...(operator.description === undefined ? [] : [paragraph(operator.description)]),
    ...(operator.contact.length > 0
      ? []
      : [
          paragraph(
            t`Operater uz podatke ne objavljuje adresu. Obratite mu se na način koji je sam objavio i pozovite se na ovu stranicu.`,
          ),
        ]),
  ];
}
