/** The page on the terms of use in Serbian, written in Latin script. */
import type { Script } from '../../../transliterate.js';
import { code, link, list, note, paragraph, strong } from '../../prose.js';
import type { LegalFacts, LegalText } from '../legal-messages.js';

export function terms(t: Script, { operator }: LegalFacts): LegalText {
  return {
    title: t`Uslovi korišćenja`,
    description: t`Šta podaci jesu, a šta nisu, koliko dugo se čuvaju, šta se očekuje od korisnika i šta se o korisnicima beleži.`,
    sections: [
      {
        id: 'license',
        heading: t`Licenca`,
        blocks: [
          paragraph(
            t`Podaci se mogu slobodno ponovo upotrebiti u bilo koju svrhu, uz navođenje izvora, na osnovu člana 26. Zakona o elektronskoj upravi, što po dejstvu odgovara licenci ${'CC BY 4.0'}. Kako se izvor navodi, opisano je na stranici `,
            link('/legal/license', t`Licenca`),
            '.',
          ),
        ],
      },
      {
        id: 'preliminary',
        heading: t`Preliminarni podaci`,
        blocks: [
          note(
            strong(t`Podaci su preliminarni.`),
            t` Objavljuju se automatski, u obliku u kojem ih dostave merni uređaji, i nisu verifikovani.`,
          ),
          paragraph(
            t`Mogu se naknadno izmeniti ili povući bez posebnog obaveštenja. Vrednosti mogu biti pogrešne zbog kvara, kalibracije ili prekida u prenosu, a pojedini sati mogu nedostajati. Svaki noviji presek podataka zamenjuje prethodni.`,
          ),
        ],
      },
      {
        id: 'retention',
        heading: t`Trideset dana`,
        blocks: [
          paragraph(
            t`Servis sadrži podatke za 30 dana pre izrade aktuelnog preseka. Taj period se pomera sa svakim novim presekom: stariji podaci ovde više nisu dostupni. Ako vam treba duži niz, sačuvajte ono što preuzmete.`,
          ),
        ],
      },
      {
        id: 'regulatory',
        heading: t`Nisu za regulatorne potrebe`,
        blocks: [
          paragraph(
            t`Podaci služe obaveštavanju javnosti. Nisu namenjeni ni podobni za ocenu usaglašenosti sa graničnim vrednostima, za zvanično izveštavanje niti kao dokaz u postupku i ne govore o tome da li je neka granična vrednost prekoračena. Za te potrebe služe isključivo verifikovani podaci, koji se ovde ne objavljuju.`,
          ),
        ],
      },
      {
        id: 'warranty',
        heading: t`Bez garancije`,
        blocks: [
          paragraph(
            t`Podaci i servis daju se u stanju u kakvom jesu, bez garancije da su tačni, potpuni, ažurni ili podobni za određenu svrhu. Korisnik ih upotrebljava na sopstvenu odgovornost. Šta se od servisa može očekivati, navedeno je na stranici `,
            link('/legal/qos', t`Kvalitet usluge`),
            '.',
          ),
        ],
      },
      {
        id: 'use',
        heading: t`Odgovorno korišćenje`,
        blocks: [
          paragraph(
            t`Nema registracije, pristupnih ključeva ni ograničenja broja zahteva. Da tako i ostane, molimo vas da:`,
          ),
          list(
            [
              t`najpre pozovete `,
              link('/meta', '/meta'),
              t`, a podatke tražite tek kada se `,
              code('snapshot_id'),
              t` promeni, ili da `,
              code('ETag'),
              t` koji već imate pošaljete u polju `,
              code('If-None-Match'),
              ';',
            ],
            [
              t`ceo skup podataka preuzmete kao `,
              link('/legal/dataset#files', t`datoteke`),
              t`, a ne stanicu po stanicu;`,
            ],
            [t`prihvatate komprimovane odgovore (`, code('Accept-Encoding: gzip'), ').'],
          ),
        ],
      },
      {
        id: 'privacy',
        heading: t`Privatnost`,
        blocks: [
          list(
            [
              strong(t`Bez podataka o ličnosti:`),
              t` skup podataka ih ne sadrži, a od vas se ne traže.`,
            ],
            [
              strong(t`Bez kolačića`),
              t`, bez praćenja i bez statistike o posetiocima; ništa na stranicama ne dolazi sa drugog servera. Jezik i tema zapisani su u adresi stranice.`,
            ],
            [
              strong(t`Bez evidencije zahteva.`),
              t` Servis broji odgovore po vrsti i statusu, bez adresa sa kojih su traženi. Beleži se samo ono što se tiče samog servisa: početak i kraj rada, novi presek podataka, kvar; ako je kvar izazvao neki zahtev, beleži se njegova putanja, ali ne i adresa sa koje je stigao.`,
            ],
          ),
          paragraph(
            t`Mrežna oprema ispred servisa može, radi bezbednosti, voditi sopstvenu evidenciju; o tome se možete obavestiti preko `,
            link('/legal/contact', t`kontakta`),
            '.',
          ),
        ],
      },
      {
        id: 'contact',
        heading: t`Kontakt`,
        blocks: [
          paragraph(
            operator === undefined
              ? t`Za podatke je odgovoran operater merne mreže. Kako da mu se obratite, navedeno je na stranici `
              : t`Za podatke je odgovoran operater merne mreže: ${operator.name}. Kako da mu se obratite, navedeno je na stranici `,
            link('/legal/contact', t`Kontakt`),
            '.',
          ),
        ],
      },
    ],
  };
}
