/** Messages in Serbian, written in Latin script; the tag `t` writes them in either script. */
import type { Script } from '../transliterate.js';
import type {
  CatalogTexts,
  ComponentTexts,
  DictionaryTexts,
  Messages,
  ReadmeTexts,
} from './message-catalogue.js';
import { documentationSerbian } from './pages/sr-latn/documentation.js';
import { legalSerbian } from './pages/sr-latn/legal.js';
import { serbianLayout, serbianPortal } from './pages/sr-latn/portal.js';
import { recipesSerbian } from './pages/sr-latn/recipes.js';

/** Ekavian Serbian; values of `${...}` are not Serbian and keep their letters. */
export function serbian(t: Script): Messages {
  const dictionary = dictionaryTexts(t);
  const readme = readmeTexts(t);
  return {
    dictionary,
    catalog: catalogTexts(t, dictionary),
    readme,
    legal: legalSerbian(t, readme.files),
    documentation: documentationSerbian(t),
    layout: serbianLayout(t),
    portal: serbianPortal(t),
    recipes: recipesSerbian(t),
  };
}

function stationTexts(t: Script): ComponentTexts<'stations'> {
  return {
    title: t`Merne stanice`,
    description: t`Stanice mreže za praćenje kvaliteta vazduha: gde se nalaze, kog su tipa i ko njima upravlja. Po jedan zapis za svaku javno dostupnu stanicu u aktuelnom preseku podataka.`,
    standardSection: t`Komponenta ${'A'}: merne stanice`,
    fields: {
      station_id: t`Jedinstvena i stalna oznaka merne stanice: interni identifikator, zapisan kao tekst. Na nju upućuje polje ${'observations.station_id'}.`,
      station_name: t`Naziv merne stanice.`,
      station_code: t`Šifra koju je stanici dodelio operater mreže; navodi se radi povezivanja sa drugim izvorima podataka.`,
      latitude: t`Geografska širina stanice u decimalnim stepenima (${'WGS84'}); ${'null'} ako položaj nije poznat.`,
      longitude: t`Geografska dužina stanice u decimalnim stepenima (${'WGS84'}); ${'null'} ako položaj nije poznat.`,
      municipality: t`Opština ili grad na čijoj se teritoriji stanica nalazi. Polje je uvek prisutno; ${'null'} ako podatak nije poznat.`,
      station_type: t`Tip stanice prema okruženju i preovlađujućim izvorima zagađenja: ${'traffic'} (saobraćajna), ${'urban'} (gradska), ${'background'} (pozadinska), ${'industrial'} (industrijska), ${'rural'} (ruralna) ili ${'other'} (ostalo); ${'null'} ako tip nije poznat.`,
      operator: t`Organizacija odgovorna za rad merne stanice; trenutno naziv organizacije koja objavljuje podatke.`,
      active: t`${'true'} ako se stanica nalazi u aktuelnom preseku podataka i radi; ${'false'} ako je ukinuta ili privremeno van funkcije.`,
      last_updated_utc: t`Vreme poslednjeg ažuriranja podataka o stanici, po ${'UTC'}, u formatu ${'ISO 8601'}; trenutno je to vreme izrade preseka podataka.`,
      elevation_m: t`Nadmorska visina stanice u metrima; ${'null'} ako podatak nije dostupan.`,
      address: t`Adresa ili opis lokacije stanice; ${'null'} ako podatak nije dostupan.`,
      start_date: t`Datum početka rada stanice, u obliku GGGG-MM-DD; ${'null'} ako podatak nije dostupan.`,
      end_date: t`Datum prestanka rada stanice, u obliku GGGG-MM-DD; ${'null'} ako stanica i dalje radi.`,
      notes: t`Napomene o stanici, slobodan tekst; ${'null'} ako ih nema.`,
      network_id: t`Identifikator merne mreže kojoj stanica pripada.`,
      network_code: t`Šifra merne mreže kojoj stanica pripada.`,
    },
  };
}

function parameterTexts(t: Script): ComponentTexts<'parameters'> {
  return {
    title: t`Mereni parametri`,
    description: t`Zagađujuće materije i meteorološki parametri čije se srednje satne vrednosti objavljuju, sa jedinicama mere. Po jedan zapis za svaki parametar.`,
    standardSection: t`Komponenta ${'B'}: mereni parametri`,
    fields: {
      parameter_code: t`Jedinstvena i stalna oznaka parametra, na primer ${'PM10'}, ${'PM2.5'}, ${'NO2'}, ${'O3'} ili ${'SO2'}. Na nju upućuje polje ${'observations.parameter_code'}.`,
      parameter_name: t`Naziv parametra; ako nije naveden, isti je kao ${'parameter_code'}.`,
      unit: t`Jedinica mere, zapisana po uzoru na sistem ${'UCUM'}; ista kao u merenjima tog parametra.`,
      averaging_period: t`Period usrednjavanja; uvek ${'1h'}, odnosno jedan sat.`,
      cas_number: t`${'CAS'} registarski broj supstance; ${'null'} ako nije dostupan ili ako parametar nije hemijska supstanca.`,
      description: t`Kratak opis parametra, slobodan tekst; ${'null'} ako nije dostupan.`,
    },
  };
}

function observationTexts(t: Script): ComponentTexts<'observations'> {
  return {
    title: t`Satna merenja`,
    description: t`Srednje satne vrednosti po mernoj stanici i parametru za poslednjih 30 dana. Podaci su preliminarni: nisu verifikovani i mogu se naknadno izmeniti.`,
    standardSection: t`Komponenta ${'C'}: merenja`,
    fields: {
      station_id: t`Merna stanica na kojoj je vrednost izmerena; odgovara polju ${'stations.station_id'}.`,
      parameter_code: t`Mereni parametar; odgovara polju ${'parameters.parameter_code'}.`,
      time_start_utc: t`Početak intervala usrednjavanja po ${'UTC'}, u formatu ${'ISO 8601'} sa oznakom ${'Z'}; taj trenutak pripada intervalu.`,
      time_end_utc: t`Kraj intervala usrednjavanja po ${'UTC'}, uvek tačno jedan sat posle početka; taj trenutak ne pripada intervalu.`,
      value: t`Srednja satna vrednost, u jedinici navedenoj u polju ${'unit'}; ${'null'} ako za taj interval nema raspoloživog merenja.`,
      unit: t`Jedinica mere; ista kao u polju ${'parameters.unit'} za isti parametar.`,
      data_status: t`Status podatka; uvek ${'preliminary'} (preliminaran): podatak se naknadno može izmeniti ili povući.`,
      aggregation_type: t`Način agregacije; uvek ${'hourly_mean'} (srednja satna vrednost).`,
      published_at_utc: t`Vreme objavljivanja podatka po ${'UTC'}; ako za pojedinačni podatak nije navedeno, to je vreme izrade preseka podataka.`,
      updated_at_utc: t`Vreme poslednje izmene podatka po ${'UTC'}; ako podatak nije menjan, isto je kao ${'published_at_utc'}.`,
      coverage: t`Raspoloživost podataka: deo intervala usrednjavanja za koji postoje merenja, od 0 do 1; u verziji 1.0 uvek ${'null'}.`,
    },
  };
}

function dictionaryTexts(t: Script): DictionaryTexts {
  return {
    standardReference: t`Sprovedbena uredba Komisije (${'EU'}) 2023/138 o utvrđivanju spiska specifičnih skupova podataka visoke vrednosti, Prilog, tematska kategorija „Posmatranje Zemlje i životna sredina” (${'http://data.europa.eu/eli/reg_impl/2023/138/oj'}). Uredba ne propisuje strukturu zapisa: komponente ${'A'}, ${'B'} i ${'C'} i njihova polja određeni su opisom skupa podataka o kvalitetu vazduha, verzija ${'HVD'} šeme 1.0.`,
    components: {
      stations: stationTexts(t),
      parameters: parameterTexts(t),
      observations: observationTexts(t),
    },
  };
}

function catalogTexts(t: Script, { components }: DictionaryTexts): CatalogTexts {
  return {
    title: t`Katalog otvorenih podataka o kvalitetu vazduha`,
    description: t`Skupovi podataka visoke vrednosti o kvalitetu vazduha i meteorološkim parametrima: merne stanice, mereni parametri i satna merenja za poslednjih 30 dana.`,
    datasets: {
      stations: {
        title: t`Merne stanice za praćenje kvaliteta vazduha`,
        description: components.stations.description,
      },
      parameters: {
        title: t`Parametri koji se mere u mreži za praćenje kvaliteta vazduha`,
        description: components.parameters.description,
      },
      observations: {
        title: t`Satna merenja kvaliteta vazduha za poslednjih 30 dana, preliminarni podaci`,
        description: components.observations.description,
      },
    },
    service: {
      title: t`${'API'} za pristup podacima o kvalitetu vazduha`,
      description: t`Javno dostupan ${'API'}, bez prijavljivanja i pristupnih ključeva: merne stanice, mereni parametri, satna merenja i datoteke za preuzimanje.`,
    },
    distributions: distributionTexts(t),
    keywords: [
      t`kvalitet vazduha`,
      t`zagađenje vazduha`,
      t`merne stanice`,
      t`zagađujuće materije`,
      t`meteorologija`,
      t`životna sredina`,
      t`skupovi podataka visoke vrednosti`,
    ],
    license: t`Otvoreni podaci po Zakonu o elektronskoj upravi (odgovara licenci ${'CC BY'})`,
    dictionary: t`Rečnik podataka`,
    documents: {
      documentation: t`${'API'} dokumentacija`,
      terms: t`Uslovi korišćenja`,
      qos: t`Kvalitet usluge`,
      dataset: t`O skupu podataka`,
    },
  };
}

function distributionTexts(t: Script): CatalogTexts['distributions'] {
  return {
    api: {
      title: t`${'API'}`,
      description: t`Aktuelni zapisi u formatu ${'JSON'}, preko ${'API'} servisa.`,
    },
    csv: {
      title: t`${'CSV'}`,
      description: t`Svi zapisi u jednoj ${'CSV'} datoteci: kodni raspored ${'UTF-8'}, vrednosti razdvojene zarezom, nazivi kolona u prvom redu.`,
    },
    geojson: {
      title: t`${'GeoJSON'}`,
      description: t`Sve stanice kao tačke u formatu ${'GeoJSON'} (${'WGS84'}, najpre geografska dužina, zatim širina).`,
    },
    json: { title: t`${'JSON'}`, description: t`Svi zapisi kao jedan ${'JSON'} niz.` },
    parquet: {
      title: t`${'Parquet'}`,
      description: t`Svi zapisi u jednoj ${'Apache Parquet'} datoteci, sa tipizovanim kolonama, uređeni po stanici, parametru i vremenu.`,
    },
  };
}

function readmeTexts(t: Script): ReadmeTexts {
  return {
    title: t`Kvalitet vazduha: satna merenja za poslednjih 30 dana`,
    introduction: t`Merne stanice, mereni parametri i srednje satne vrednosti, prema stanju u trenutku izrade preseka podataka.`,
    snapshotLabel: t`Presek podataka`,
    generatedLabel: t`Vreme izrade`,
    publisherLabel: t`Izdavač`,
    filesHeading: t`Datoteke`,
    files: {
      'stations.csv': t`Merne stanice.`,
      'stations.geojson': t`Iste stanice kao tačke u formatu ${'GeoJSON'} (${'RFC 7946'}, ${'WGS84'}).`,
      'parameters.csv': t`Mereni parametri i njihove jedinice mere.`,
      'parameters.json': t`Isti parametri kao ${'JSON'} niz.`,
      'observations_hourly_preliminary_last30days.csv': t`Satna merenja, uređena po stanici, parametru i vremenu.`,
      'observations_hourly_preliminary_last30days.parquet': t`Ista merenja u formatu ${'Apache Parquet'}: vremena po ${'UTC'}, brojevi u dvostrukoj preciznosti.`,
      'README.md': t`Ovaj tekst.`,
      SHA256SUMS: t`Kontrolni zbirovi (${'SHA-256'}) ostalih datoteka.`,
    },
    csvNote: t`${'CSV'} datoteke su u skladu sa ${'RFC 4180'}: kodni raspored ${'UTF-8'}, zarez kao separator, kraj reda ${'CRLF'}, nazivi kolona u prvom redu, decimalna tačka. Prazna ćelija znači da podatak nije poznat.`,
    licenseHeading: t`Licenca`,
    license: t`Otvoreni podaci po članu 26. Zakona o elektronskoj upravi Republike Srbije: slobodna ponovna upotreba u bilo koje svrhe, uz navođenje izvora, što po dejstvu odgovara licenci ${'CC BY'}. Potpun tekst nalazi se na stranici ${'`/legal/license`'} servisa sa kojeg su datoteke preuzete.`,
    attributionHeading: t`Navođenje izvora`,
    attribution: t`Navedite izdavača i vreme izrade preseka podataka, na primer:`,
    attributionExample: t`preliminarni satni podaci o kvalitetu vazduha, presek od`,
    preliminaryHeading: t`Preliminarni podaci`,
    preliminary: t`Podaci se objavljuju automatski i nisu verifikovani. Mogu se naknadno izmeniti ili povući i nisu namenjeni za regulatorne potrebe.`,
    retentionHeading: t`Period i vreme`,
    retention: t`Obuhvaćeno je 30 dana pre izrade preseka podataka; stariji podaci se ne čuvaju. Sva vremena su po ${'UTC'}. Svaki interval traje tačno jedan sat; njegov početak mu pripada, a kraj ne.`,
    checkHeading: t`Provera datoteka`,
    check: t`Smestite datoteke i ${'`SHA256SUMS`'} u isti direktorijum i pokrenite prvu naredbu na sistemu ${'Linux'}, a drugu na sistemu ${'macOS'}. Ako niste preuzeli sve datoteke, dodajte ${'`--ignore-missing`'}.`,
    dictionaryHeading: t`Rečnik podataka`,
    columns: { field: t`Polje`, type: t`Tip`, required: t`Obavezno`, definition: t`Definicija` },
    yes: t`da`,
    no: t`ne`,
  };
}
