/** The page on the quality of service in Serbian, written in Latin script. */
import type { Script } from '../../../transliterate.js';
import { API_VERSION, DATASET_VERSION, HVD_SCHEMA_VERSION } from '../../../hvd/fields.js';
import { code, facts, link, paragraph } from '../../prose.js';
import type { LegalFacts, LegalText } from '../legal-messages.js';

export function qos(t: Script, { snapshot }: LegalFacts): LegalText {
  return {
    title: t`Kvalitet usluge`,
    description: t`Šta se može očekivati: dostupnost 99 % mesečno, radovi najavljeni 24 časa unapred, svakodnevno osvežavanje podataka, bez ograničenja broja zahteva.`,
    sections: [
      {
        id: 'targets',
        heading: t`Ciljne vrednosti`,
        blocks: [
          facts(
            { name: t`Dostupnost`, value: [t`99 % mesečno`] },
            { name: t`Planirani radovi`, value: [t`najavljuju se 24 časa unapred`] },
            { name: t`Osvežavanje`, value: [t`svakog dana ili češće`] },
            snapshot && { name: t`Izrada aktuelnog preseka`, value: [snapshot.generatedAt] },
            { name: t`Ograničenje broja zahteva`, value: [t`nema`] },
          ),
          paragraph(
            t`To su ciljne vrednosti javne i besplatne usluge; iz njih ne proističu potraživanja.`,
          ),
        ],
      },
      {
        id: 'data',
        heading: t`Ažurnost i celovitost podataka`,
        blocks: [
          paragraph(
            t`Svi podaci potiču iz jednog nepromenljivog preseka; novi presek ga zamenjuje odjednom. Svaki odgovor, ma koliko bio veliki, nastaje iz samo jednog preseka, čiju oznaku nosi polje `,
            code('X-Snapshot-Id'),
            t`. Programi u odgovoru `,
            link('/meta', '/meta'),
            t` nalaze vreme njegove izrade.`,
          ),
          paragraph(
            t`Dužina svakog odgovora poznata je unapred, a svaka datoteka ima kontrolni zbir (${'SHA-256'}), pa se prekinuto ili oštećeno preuzimanje može primetiti.`,
          ),
        ],
      },
      {
        id: 'limits',
        heading: t`Opterećenje`,
        blocks: [
          paragraph(
            t`Broj zahteva nije ograničen. Kada se u jednom trenutku traži previše, odgovor je 503 sa poljem `,
            code('Retry-After'),
            t`: pokušajte ponovo posle toliko sekundi. Šta servisu olakšava rad, navedeno je u `,
            link('/legal/terms#use', t`Uslovima korišćenja`),
            '.',
          ),
        ],
      },
      {
        id: 'outages',
        heading: t`Kada izvor nije dostupan`,
        blocks: [
          paragraph(
            t`Preseci podataka objavljuju se u skladištu. Kada ono nije dostupno, servis neko vreme nastavlja rad sa poslednjom proverenom kopijom; podrazumevano 24 časa, koliko traje period osvežavanja. Posle toga, kao i kada nijedan presek nije aktivan ili njegova verzija šeme nije očekivana, na zahteve za podacima odgovara sa 503: stari podaci se ne izdaju kao aktuelni. Stranice sa tekstom ostaju dostupne.`,
          ),
        ],
      },
      {
        id: 'health',
        heading: t`Stanje servisa`,
        blocks: [
          facts(
            {
              name: t`Rad`,
              value: [link('/health/live', '/health/live'), t`: 200 sve dok proces radi.`],
            },
            {
              name: t`Spremnost`,
              value: [
                link('/health/ready', '/health/ready'),
                t`: 200 dok su podaci dostupni, inače 503 uz razlog.`,
              ],
            },
            {
              name: t`Detaljna provera`,
              value: [
                link('/health/ready?deep=1', '/health/ready?deep=1'),
                t`: proverava i sve datoteke za preuzimanje.`,
              ],
            },
          ),
        ],
      },
      {
        id: 'versions',
        heading: t`Verzije`,
        blocks: [
          facts(
            { name: t`${'API'}`, value: [API_VERSION] },
            { name: t`Šema preseka podataka`, value: [snapshot?.schemaVersion ?? '1.2.0'] },
            { name: t`${'HVD'} šema`, value: [HVD_SCHEMA_VERSION] },
            { name: t`Skup podataka`, value: [DATASET_VERSION] },
          ),
          paragraph(
            t`${'API'} za skupove podataka visoke vrednosti nosi verziju u putanji: `,
            code('/api/v1'),
            t`. Prvi ${'API'} (`,
            code('/meta'),
            ', ',
            code('/stations'),
            ', ',
            code('/measurements'),
            t`) ostaje uz njega nepromenjen. Odgovori mogu dobiti nova polja: čitajte ona koja poznajete, a ostala zanemarite.`,
          ),
        ],
      },
    ],
  };
}
