/** The documentation pages in Serbian, written in Latin script. */
import type { Script } from '../../../transliterate.js';
import {
  code,
  commands,
  facts,
  link,
  list,
  paragraph,
  type Inlines,
  type Section,
} from '../../prose.js';
import type { DocumentationTexts } from '../documentation-messages.js';

export function documentationSerbian(t: Script): DocumentationTexts {
  const otherwise: Inlines = [
    t`Isti sadržaj dostupan je kao `,
    link('/openapi.json', t`${'OpenAPI'} dokument`),
    t`, a šta podaci predstavljaju opisano je na stranici `,
    link('/legal/dataset', t`O skupu podataka`),
    '.',
  ];
  return {
    pages: {
      'api-docs': {
        title: t`${'API'} dokumentacija`,
        description: t`${'API'} za otvorene podatke: odakle početi, u kojim su formatima podaci i sve operacije, koje se mogu isprobati na samoj stranici.`,
        sections: [start(t), formats(t), caching(t), more(t)],
      },
      docs: {
        title: t`${'API'} referenca: ${'Swagger UI'}`,
        description: t`Sve operacije ${'API'} servisa, sa parametrima i odgovorima, koje se mogu isprobati na samoj stranici.`,
        sections: [],
      },
      redoc: {
        title: t`${'API'} referenca: ${'Redoc'}`,
        description: t`Sve operacije ${'API'} servisa, sa parametrima i odgovorima, pregledno na jednoj stranici.`,
        sections: [],
      },
    },
    viewer: t`Sve operacije`,
    inEnglish: t`Opis ${'API'} servisa je na engleskom jeziku.`,
    loading: t`Učitava se opis ${'API'} servisa…`,
    withoutScripts: [
      t`Za ovaj prikaz potreban je ${'JavaScript'}, koji je ovde isključen. `,
      ...otherwise,
    ],
    failed: [t`Prikaz nije mogao da se učita. `, ...otherwise],
  };
}

function start(t: Script): Section {
  return {
    id: 'start',
    heading: t`Odakle početi`,
    blocks: [
      paragraph(
        t`Sve adrese počinju sa `,
        code('$BASE_URL'),
        t`, adresom ovog servisa. Ništa ne treba tražiti unapred: nema registracije, pristupnih ključeva ni ograničenja broja zahteva.`,
      ),
      commands(
        'curl $BASE_URL/meta',
        'curl $BASE_URL/api/v1/observations/latest',
        'curl --compressed $BASE_URL/api/v1/observations/stream | head -n 3',
      ),
      list(
        [t`Prvi poziv kazuje koji je presek podataka aktivan i kada je izrađen.`],
        [t`Drugi daje najnoviju vrednost za svaku stanicu i svaki parametar.`],
        [t`Treći čita sva merenja za poslednjih 30 dana, jedno po redu teksta.`],
      ),
      paragraph(
        t`Gotovi programi za ${'Python'}, ${'R'}, ${'Excel'}, ${'Grafana'} i druge alate, koje možete da kopirate, nalaze se na stranici `,
        link('/api-docs/recipes', t`Recepti`),
        '.',
      ),
    ],
  };
}

function formats(t: Script): Section {
  return {
    id: 'formats',
    heading: t`Formati`,
    blocks: [
      facts(
        {
          name: t`${'JSON'}`,
          value: [t`svi podaci i metapodaci; kodni raspored ${'UTF-8'}, vremena po ${'UTC'}`],
        },
        {
          name: t`${'NDJSON'}`,
          value: [
            code('/api/v1/observations/stream'),
            t`: po jedan ${'JSON'} objekat u svakom redu`,
          ],
        },
        {
          name: t`${'CSV'}`,
          value: [
            code('/api/v1/observations.csv'),
            t`: izabrana merenja, po jedno u redu ili, uz `,
            code('layout=wide'),
            t`, sa po jednom kolonom za svaki parametar`,
          ],
        },
        {
          name: t`${'CSV, Parquet, GeoJSON'}`,
          value: [link('/legal/dataset#files', t`datoteke`), t` sa celim skupom podataka`],
        },
        {
          name: t`${'CSV, XLSX, ODS'}`,
          value: [code('/portal/export'), t`: jedan niz kao tabela`],
        },
        {
          name: t`${'JSON-LD'}`,
          value: [link('/api/v1/dcat', t`katalog`), t`, profil ${'DCAT-AP HVD 2.2.0'}`],
        },
      ),
    ],
  };
}

function caching(t: Script): Section {
  return {
    id: 'caching',
    heading: t`Tražite samo ono što je novo`,
    blocks: [
      paragraph(
        t`Svaki odgovor ima `,
        code('ETag'),
        t`. Pošaljite ga nazad i, sve dok se ništa nije promenilo, dobićete 304 bez tela odgovora:`,
      ),
      commands('curl -H \'If-None-Match: W/"…"\' $BASE_URL/api/v1/observations/latest'),
      paragraph(t`Uz `, code('Accept-Encoding: gzip'), t` odgovori su približno deset puta manji.`),
    ],
  };
}

function more(t: Script): Section {
  return {
    id: 'more',
    heading: t`Više o podacima`,
    blocks: [
      list(
        [link('/api/v1/data-dictionary', t`Rečnik podataka`), t`: objašnjenje svakog polja`],
        [link('/api/v1/bulk', t`Indeks datoteka`), t`: ceo skup podataka za preuzimanje`],
        [link('/api-docs/recipes', t`Recepti`), t`: gotovi programi za kopiranje`],
        [link('/api/v1/dcat', t`Katalog`), t`: za portale koji prikupljaju otvorene podatke`],
        [link('/openapi.json', t`${'OpenAPI 3.1'}`), t`: opis ${'API'} servisa za programe`],
        [
          link('/llms.txt', '/llms.txt'),
          t`: isti opis kao običan tekst, za jezičke modele i za ljude`,
        ],
        [
          link('/docs', t`${'Swagger UI'}`),
          t` i `,
          link('/redoc', t`${'Redoc'}`),
          t`: samo referenca`,
        ],
        [link('/legal/terms', t`Uslovi korišćenja`), t` i `, link('/legal/license', t`licenca`)],
      ),
    ],
  };
}
