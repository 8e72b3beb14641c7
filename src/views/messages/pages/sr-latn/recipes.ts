/** The page of recipes in Serbian, written in Latin script. */
import type { Script } from '../../../transliterate.js';
import { RECIPE_STATION } from '../../../recipes.js';
import { code } from '../../prose.js';
import type { RecipesTexts } from '../recipes-messages.js';

export function recipesSerbian(t: Script): RecipesTexts {
  const whenNew = t`Samo kada ima nečeg novog`;
  return {
    title: t`Recepti`,
    description: t`Gotovi programi za ono što se sa podacima najčešće radi: preuzimanje, analiza, prikaz i praćenje novih vrednosti.`,
    introduction: [
      [
        t`Svaki program radi ovakav kakav je. `,
        code(RECIPE_STATION),
        t` je jedna od stanica: umesto nje upišite onu koja vam treba, a sve navodi `,
        code('/api/v1/stations'),
        t`. Oznake parametara daje `,
        code('/api/v1/parameters'),
        t`. Vremena su po ${'UTC'}; tamo gde se računa po danima, to su dani u vremenskoj zoni `,
        code('Europe/Belgrade'),
        '.',
      ],
      [
        t`Program koji pita iznova i iznova neka pita uslovno: pošalje `,
        code('ETag'),
        t` odgovora koji već ima i, sve dok nema drugog, dobija 304 bez tela odgovora. Ono što to ne ume neka pita retko i traži malo.`,
      ],
    ],
    contents: t`Alati`,
    copy: t`Kopiraj`,
    copied: t`Kopirano`,
    recipes: {
      'curl/month.sh': {
        title: t`Mesec dana jedne stanice kao ${'CSV'}`,
        text: [
          t`Poslednjih 30 dana, sa po jednim redom za svaki sat i jednom kolonom za svaki parametar. Deo tog perioda biraju `,
          code('from'),
          t` i `,
          code('to'),
          t`; bez `,
          code('layout=wide'),
          t` svaka vrednost ima svoj red.`,
        ],
      },
      'curl/dataset.sh': {
        title: t`Ceo skup podataka, sa nastavkom preuzimanja i proverom`,
        text: [
          t`Datoteka se preuzima samo ako njen kontrolni zbir nije isti kao kod datoteke koja je već tu. Prekinuto preuzimanje nastavlja se tamo gde je stalo. Ako su se podaci u međuvremenu promenili, kontrolni zbir to pokazuje i datoteka se briše: pokrenite iste redove ponovo.`,
        ],
      },
      'curl/conditional.sh': {
        title: whenNew,
        text: [
          t`Za posao koji se pokreće svakih nekoliko minuta. Posle preuzimanja ispisuje 200, a kada nema ničeg novog 304, i tada datoteka ostaje kakva jeste. `,
          code('ETag'),
          t` se čuva u posebnoj datoteci.`,
        ],
      },
      'curl/changes.sh': {
        title: t`Samo redovi koji su se promenili`,
        text: [
          t`Prvo pokretanje čita sva merenja, a svako sledeće samo ono što je od tada dodato, izmenjeno ili povučeno. Ako je to bilo previše davno, odgovor je 410: obrišite `,
          code('snapshot-id'),
          t` i počnite iznova. Potreban je ${'curl'} 7.84 ili noviji.`,
        ],
      },
      'curl/events.sh': {
        title: t`Obaveštenje odmah`,
        text: [
          t`Veza ostaje otvorena, a red stiže svaki put kada se podaci promene. Umesto `,
          code('echo'),
          t` stavite ono što tada želite da uradite.`,
        ],
      },
      'python/daily.py': {
        title: t`Dnevni proseci jedne stanice`,
        text: [
          t`Čita ${'CSV'} u tabelu sa po jednom kolonom za svaki parametar. Dan sa manje od 18 sati nema prosek.`,
        ],
      },
      'python/wide.py': {
        title: t`Tok prosečnog dana`,
        text: [
          t`Široki raspored već je tabela: po jedan red za svaki sat i po jedna kolona za svaki parametar.`,
        ],
      },
      'python/stream.py': {
        title: t`Sva merenja, jedno po jedno`,
        text: [
          t`Ceo skup podataka kao redovi ${'JSON'} zapisa, ma koliko bio veliki, uz malo memorije: ovde najviša vrednost svakog parametra. Nije potrebna nijedna biblioteka.`,
        ],
      },
      'python/poll.py': {
        title: whenNew,
        text: [
          t`Pita svakih deset minuta, a najnovije vrednosti čita ponovo samo kada su drugačije. Svaka greška se ispiše, a deset minuta kasnije program pita ponovo.`,
        ],
      },
      'r/daily.R': {
        title: t`Dnevni proseci i grafikon`,
        text: [t`Dovoljan je osnovni ${'R'}, bez ijednog paketa.`],
      },
      'r/poll.R': {
        title: whenNew,
        text: [
          t`Pita svakih deset minuta i šalje `,
          code('ETag'),
          t` poslednjeg odgovora, pomoću paketa `,
          code('curl'),
          '.',
        ],
      },
      'duckdb/remote.sql': {
        title: t`Upiti nad datotekom na serveru`,
        text: [
          t`${'DuckDB'} čita samo one delove ${'Parquet'} datoteke koji su za upit potrebni. Prvi put sa interneta preuzima svoje proširenje `,
          code('httpfs'),
          '.',
        ],
      },
      'duckdb/files.sh': {
        title: t`Preuzimanje datoteka, ponovo samo kada su nove`,
        text: [
          t`Za više od nekoliko upita. Za svaku datoteku ispisuje 200 ili 304; `,
          code('ETag'),
          t` se čuva pored nje.`,
        ],
      },
      'duckdb/local.sql': {
        title: t`Deset najgorih dana`,
        text: [
          t`Iz datoteka koje je preuzeo prethodni recept, u istoj fascikli: dani prema proseku za `,
          code('PM10'),
          t`, sa nazivima stanica.`,
        ],
      },
      'javascript/follow.js': {
        title: t`U pregledaču: vrednosti koje su uvek ažurne`,
        text: [
          t`Za stranicu na bilo kom sajtu. Izabrane vrednosti čita jednom, a zatim, kad god servis javi nove podatke, samo ono što se promenilo. Ako to više nije moguće saznati, čita sve ponovo.`,
        ],
      },
      'javascript/poll.mjs': {
        title: t`U okruženju ${'Node'}: samo kada ima nečeg novog`,
        text: [
          t`Pita svakih deset minuta i šalje `,
          code('ETag'),
          t` poslednjeg odgovora. Pregledač to radi sam ako napišete `,
          code("fetch(url, { cache: 'no-cache' })"),
          '.',
        ],
      },
      'excel/month.pq': {
        title: t`Mesec dana jedne stanice kao tabela`,
        text: [
          t`Izaberite ${'Data, Get Data, From Other Sources, Blank Query'}, zatim ${'Advanced Editor'}: zamenite ono što tamo piše ovim, a na pitanje o prijavi izaberite ${'Anonymous'}. Brojevi se čitaju ispravno bez obzira na jezik sistema ${'Windows'}, a vremena su po ${'UTC'}. ${'Refresh'} ponovo čita redove; ${'Excel'} ne ume da pita uslovno.`,
        ],
      },
      'grafana/datasource.yaml': {
        title: t`Izvor podataka`,
        text: [
          t`Za dodatak `,
          code('yesoreyeram-infinity-datasource'),
          t`, kao datoteka u fascikli `,
          code('provisioning/datasources'),
          '.',
        ],
      },
      'grafana/panel.json': {
        title: t`Grafikon za izabrani period`,
        text: [
          t`Panel za `,
          code('panels'),
          t` u kontrolnoj tabli, ili za ${'Inspect, Panel JSON'}. ${'Grafana'} krajeve izabranog perioda upisuje u `,
          code('from'),
          t` i `,
          code('to'),
          t`. Dodatak ne pita uslovno: neka se kontrolna tabla ne osvežava češće od svakih deset minuta.`,
        ],
      },
      'home-assistant/rest.yaml': {
        title: t`Dva senzora jednim zahtevom`,
        text: [
          t`Za `,
          code('configuration.yaml'),
          t`. Oba senzora čitaju se iz jednog odgovora, svakih 15 minuta. ${'Home Assistant'} ne pita uslovno, zato tražite samo ono što prikazujete.`,
        ],
      },
      'qgis/layers.py': {
        title: t`Najnovije vrednosti na karti`,
        text: [
          t`Za ${'Python'} konzolu: stanice, najnovije vrednosti i sloj koji ih spaja. Potreban je ${'QGIS'} 3.22 ili noviji. Ručno, samo stanice: ${'Add Vector Layer, Protocol'} i adresa datoteke `,
          code('stations.geojson'),
          '.',
        ],
      },
      'qgis/geopackage.sh': {
        title: t`Isto to kao jedna datoteka`,
        text: [
          t`${'GeoPackage'} kome mreža više nije potrebna, a pravi ga ${'GDAL'}, biblioteka kojom ${'QGIS'} čita datoteke.`,
        ],
      },
    },
  };
}
