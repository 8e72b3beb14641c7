/** The page on the licence in Serbian, written in Latin script. */
import type { Script } from '../../../transliterate.js';
import { code, link, list, note, paragraph, quote, strong } from '../../prose.js';
import type { LegalFacts, LegalText } from '../legal-messages.js';

export function license(t: Script, { operator, snapshot }: LegalFacts): LegalText {
  return {
    title: t`Licenca`,
    description: t`Podaci su otvoreni: svako može ponovo da ih upotrebi u bilo koju svrhu i bez naknade, uz obavezu da navede izvor.`,
    sections: [
      {
        id: 'summary',
        heading: t`Ukratko`,
        blocks: [
          list(
            [
              strong(t`Možete`),
              t` da umnožavate podatke, da ih ustupate drugima, menjate, povezujete sa drugim podacima i ugrađujete u svoje proizvode i usluge.`,
            ],
            [strong(t`U bilo koju svrhu`), t`, uključujući i komercijalnu.`],
            [strong(t`Bez naknade`), t`, bez zahteva, ugovora i registracije.`],
            [strong(t`Pod jednim uslovom`), t`: da navedete izvor.`],
          ),
        ],
      },
      {
        id: 'law',
        heading: t`Pravni osnov`,
        blocks: [
          paragraph(
            t`Podaci su otvoreni podaci u smislu člana 26. Zakona o elektronskoj upravi („Službeni glasnik RS”, broj 27/18), kojim je uređena njihova ponovna upotreba.`,
          ),
          paragraph(
            t`To po dejstvu odgovara licenci `,
            link(
              'https://creativecommons.org/licenses/by/4.0/',
              t`${'Creative Commons'} Autorstvo 4.0 Međunarodna (${'CC BY 4.0'})`,
            ),
            t`: slobodna ponovna upotreba uz navođenje izvora. Sve što je dozvoljeno sa podacima pod licencom ${'CC BY 4.0'} dozvoljeno je i sa ovim podacima.`,
          ),
          note(
            t`Ova stranica objašnjava zakon i ne zamenjuje ga. U slučaju neslaganja merodavan je tekst zakona.`,
          ),
        ],
      },
      {
        id: 'scope',
        heading: t`Na šta se odnosi`,
        blocks: [
          paragraph(
            t`Na sve podatke koje ovaj servis objavljuje: merne stanice, merene parametre, srednje satne vrednosti, `,
            link('/legal/dataset#files', t`datoteke za preuzimanje`),
            t`, izvezene tabele, `,
            link('/api/v1/data-dictionary', t`rečnik podataka`),
            t` i `,
            link('/api/v1/dcat', t`katalog`),
            '.',
          ),
        ],
      },
      {
        id: 'attribution',
        heading: t`Kako se navodi izvor`,
        blocks: [
          paragraph(t`Uz svaku upotrebu podataka navedite:`),
          list(
            [t`naziv operatera;`],
            [t`da su podaci preliminarni;`],
            [
              t`vreme izrade preseka podataka koji ste koristili: `,
              code('generated_at'),
              t` u odgovoru `,
              link('/meta', '/meta'),
              ';',
            ],
            [t`ako ste podatke menjali, da su izmenjeni.`],
          ),
          paragraph(t`Na primer:`),
          quote(
            t`${operator?.name ?? t`[operater]`}, preliminarni satni podaci o kvalitetu vazduha, presek od ${snapshot?.citedAt ?? t`[GGGG-MM-DD ČČ:MM ${'UTC'}]`}. Otvoreni podaci po članu 26. Zakona o elektronskoj upravi (odgovara licenci ${'CC BY'}).`,
          ),
          paragraph(
            t`Može i drugačije, ako kazuje isto. Gde nema mesta, dovoljni su naziv operatera i veza ka ostalim podacima o izvoru.`,
          ),
        ],
      },
      {
        id: 'limits',
        heading: t`Šta licenca ne daje`,
        blocks: [
          list(
            [t`Pravo da stvarate utisak da operater podržava vas ili vašu upotrebu podataka.`],
            [
              t`Bilo kakvu garanciju. Podaci su preliminarni: vidite `,
              link('/legal/terms', t`Uslove korišćenja`),
              '.',
            ],
          ),
        ],
      },
    ],
  };
}
