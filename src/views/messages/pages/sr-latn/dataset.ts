/** The page on the dataset in Serbian, written in Latin script. */
import { DATASET_VERSION } from '../../../hvd/fields.js';
import { APPLICABLE_LEGISLATION } from '../../../hvd/descriptor.js';
import type { Script } from '../../../transliterate.js';
import type { ReadmeTexts } from '../../message-catalogue.js';
import { code, facts, link, paragraph, quote, type Block } from '../../prose.js';
import { fileRows, type LegalFacts, type LegalText } from '../legal-messages.js';

export function dataset(
  t: Script,
  { operator, snapshot }: LegalFacts,
  files: ReadmeTexts['files'],
): LegalText {
  const title = t`Kvalitet vazduha: satna merenja za poslednjih 30 dana`;
  return {
    title: t`O skupu podataka`,
    description: t`Merne stanice, mereni parametri i preliminarne srednje satne vrednosti kvaliteta vazduha i meteoroloških parametara za poslednjih 30 dana.`,
    sections: [
      {
        id: 'summary',
        heading: title,
        blocks: [
          paragraph(
            t`Srednje satne vrednosti zagađujućih materija i meteoroloških parametara sa stanica merne mreže, zajedno sa podacima o stanicama i parametrima. To je skup podataka visoke vrednosti iz kategorije „Posmatranje Zemlje i životna sredina” prema `,
            link(APPLICABLE_LEGISLATION, t`Sprovedbenoj uredbi Komisije (${'EU'}) 2023/138`),
            '.',
          ),
          facts(
            operator && { name: t`Izdavač`, value: [operator.name] },
            {
              name: t`Status`,
              value: [t`preliminarni podaci (`, code('preliminary'), t`), nisu verifikovani`],
            },
            { name: t`Vrednosti`, value: [t`srednje satne (`, code('hourly_mean'), ')'] },
            snapshot && {
              name: t`Period`,
              value: [t`od `, snapshot.period.from, t` do `, snapshot.period.to],
            },
            { name: t`Čuvanje podataka`, value: [t`poslednjih 30 dana, period se pomera`] },
            {
              name: t`Osvežavanje`,
              value: [
                snapshot?.isDemonstration === true
                  ? t`nema ga: ovo je demonstracija sa merenjima iz prošlosti`
                  : t`svakog dana ili češće`,
              ],
            },
            snapshot && { name: t`Vreme izrade preseka`, value: [snapshot.generatedAt] },
            snapshot && { name: t`Presek podataka`, value: [code(snapshot.id)] },
            snapshot && { name: t`Merne mreže`, value: [snapshot.counts.networks] },
            snapshot && { name: t`Merne stanice`, value: [snapshot.counts.stations] },
            snapshot && { name: t`Mereni parametri`, value: [snapshot.counts.components] },
            snapshot && { name: t`Merenja`, value: [snapshot.counts.measurements] },
            {
              name: t`Licenca`,
              value: [
                link(
                  '/legal/license',
                  t`slobodna ponovna upotreba uz navođenje izvora (odgovara licenci ${'CC BY'})`,
                ),
              ],
            },
            { name: t`Verzija`, value: [DATASET_VERSION] },
          ),
        ],
      },
      {
        id: 'contents',
        heading: t`Šta sadrži`,
        blocks: [
          facts(
            {
              name: t`Merne stanice`,
              value: [
                t`gde se nalaze, kog su tipa i ko njima upravlja: `,
                link('/api/v1/stations', '/api/v1/stations'),
              ],
            },
            {
              name: t`Mereni parametri`,
              value: [
                t`šta se meri i u kojoj jedinici: `,
                link('/api/v1/parameters', '/api/v1/parameters'),
              ],
            },
            {
              name: t`Merenja`,
              value: [
                t`srednja vrednost za svaki sat, stanicu i parametar: `,
                link('/api/v1/observations/latest', '/api/v1/observations/latest'),
                t` (najnovija), `,
                code('/api/v1/observations'),
                t` (uz filtere), `,
                code('/api/v1/observations/stream'),
                t` (red po red)`,
              ],
            },
          ),
          paragraph(
            t`Vremena su po ${'UTC'}. Interval traje tačno jedan sat; njegov početak mu pripada, a kraj ne. Sat bez merenja ima vrednost ${'null'}. Svako polje objašnjeno je u `,
            link('/api/v1/data-dictionary', t`rečniku podataka`),
            '.',
          ),
        ],
      },
      {
        id: 'files',
        heading: t`Datoteke`,
        blocks: [
          ...fileBlocks(t, { snapshot, operator }, files),
          paragraph(
            t`Kontrolni zbir svake datoteke nalazi se u `,
            link('/api/v1/bulk', t`indeksu datoteka`),
            t`. Pojedinačni nizovi u formatima ${'CSV'}, ${'XLSX'} i ${'ODS'} preuzimaju se na `,
            link('/', t`portalu`),
            '.',
          ),
        ],
      },
      {
        id: 'access',
        heading: t`Za programe`,
        blocks: [
          facts(
            {
              name: t`Dokumentacija`,
              value: [
                link('/api-docs', t`sa primerima`),
                ', ',
                link('/docs', t`${'Swagger UI'}`),
                ', ',
                link('/redoc', t`${'Redoc'}`),
              ],
            },
            {
              name: t`Opis`,
              value: [
                link('/openapi.json', t`${'OpenAPI 3.1'}`),
                ', ',
                link('/llms.txt', t`običan tekst`),
              ],
            },
            {
              name: t`Katalog`,
              value: [link('/api/v1/dcat', t`${'DCAT-AP HVD 2.2.0, JSON-LD'}`)],
            },
            {
              name: t`Sažeti opis`,
              value: [link('/api/v1/metadata', t`skup podataka ukratko, ${'JSON'}`)],
            },
            {
              name: t`Rečnik`,
              value: [link('/api/v1/data-dictionary', t`sva polja, ${'JSON'}`)],
            },
          ),
        ],
      },
      {
        id: 'citation',
        heading: t`Kako se citira`,
        blocks: [
          quote(
            t`${operator?.name ?? t`[operater]`}: ${title}. Preliminarni podaci, presek od ${snapshot?.citedAt ?? t`[GGGG-MM-DD ČČ:MM ${'UTC'}]`}${snapshot === undefined ? '' : ` (${snapshot.id})`}.`,
          ),
          paragraph(t`Dodajte adresu ove stranice i dan kada ste podatke preuzeli.`),
        ],
      },
    ],
  };
}

function fileBlocks(
  t: Script,
  { snapshot }: LegalFacts,
  files: ReadmeTexts['files'],
): readonly Block[] {
  if (snapshot === undefined || snapshot.files.length === 0) {
    return [paragraph(t`Datoteke su ovde navedene dok su podaci dostupni.`)];
  }
  return [
    {
      kind: 'table',
      caption: t`Ceo skup podataka, prema aktuelnom preseku`,
      head: [t`Datoteka`, t`Sadržaj`, t`Format`, t`Veličina`],
      rows: fileRows(snapshot, {
        ...files,
        'README.md': t`Napomene i rečnik podataka, na engleskom i srpskom jeziku.`,
      }),
    },
  ];
}
