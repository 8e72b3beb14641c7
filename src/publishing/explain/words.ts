/** Words that agencies head their columns with, in the languages of Europe: what `--explain` guesses by. */

/** A title without accents, in lower case, its words apart by blanks. */
export function plain(title: string): string {
  return title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[đð]/g, 'd')
    .replace(/ł/g, 'l')
    .replace(/[^a-z0-9.%]+/g, ' ')
    .trim();
}

const word = (words: string): RegExp => new RegExp(`(?:^| )(?:${words})(?: |$)`);

/** Members of stations by the words for them, the most telling first. */
export const STATION_WORDS: readonly (readonly [string, RegExp])[] = [
  [
    'latitude',
    word(
      'lat|latitude|latitud|latitudine|breite|breitengrad|sirina|zemljopisna sirina|geografska sirina|g.? ?sirina|wgs84 n|wgs84 .? ?n|northing|utm y|coord y|y|coor y|y utm|y etrs89|sr?ednja y|szelesseg|szerokosc|szerokosc geograficzna',
    ),
  ],
  [
    'longitude',
    word(
      'lon|lng|long|longitude|longitud|longitudine|lange|langengrad|duzina|zemljopisna duzina|geografska duzina|g.? ?duzina|wgs84 e|wgs84 .? ?e|easting|utm x|coord x|x|coor x|x utm|x etrs89|hosszusag|dlugosc|dlugosc geograficzna',
    ),
  ],
  [
    'elevation_m',
    word(
      'altitude|altitud|elevation|elev|alt|altezza|quota|hohe|seehohe|visina|nadmorska visina|n.? ?v.?|cota|hoogte|wysokosc|magassag',
    ),
  ],
  [
    'station_type',
    word(
      'type|tipo|tip|typ|station type|tipo estacion|tipo de estacion|tip postaje|tip stanice|typ stacji|vrsta',
    ),
  ],
  [
    'municipality',
    word(
      'municipality|municipio|comune|commune|gemeinde|opcina|opstina|obcina|gmina|concelho|gemeente|grad opcina',
    ),
  ],
  [
    'city',
    word('city|ciudad|ville|stadt|citta|grad|mesto|miasto|miejscowosc|obec|varos|localidad'),
  ],
  ['address', word('address|direccion|adresse|indirizzo|adresa|adres|naslov|ulica|cim|morada')],
  [
    'start_date',
    word('start date|fecha alta|date debut|data inizio|datum pocetka|data uruchomienia|from'),
  ],
  ['end_date', word('end date|fecha baja|date fin|data fine|datum kraja|data zamkniecia|to')],
  [
    'station_code',
    word(
      'code|codigo|cod|codice|kod|sifra|oznaka|station code|codigo estacion|kod stacji|kod postaje|id|station id|stationscode|siteid|site id|eoi|natl? ?code|estacion|station|postaja|stanica|stacja',
    ),
  ],
  [
    'station_name',
    word(
      'name|nombre|nom|nome|naziv|ime|nazwa|nazev|nev|station name|site name|stationsname|naam|nazwa stacji|naziv postaje|naziv stanice|estacion nombre|estacion|station|postaja|stanica',
    ),
  ],
];

export const TIME_WORDS = {
  date: word('date|fecha|datum|data|date local|jour|dia|dan|den|day|dzien'),
  year: word('year|ano|anno|annee|jahr|godina|leto|rok|ev'),
  month: word('month|mes|mese|mois|monat|mjesec|mesec|miesiac'),
  day: word('day|dia|giorno|jour|tag|dan|dzien'),
  hour: word(
    'hour|hora|heure|stunde|ora|sat|ura|godzina|hodina|uur|time|zeit|vrijeme|vreme|czas|time local',
  ),
  time: word(
    'date ?time|fecha ?hora|fecha y hora|data ?ora|datum ?zeit|datum vrijeme|datum i vrijeme|datum vreme|datetime|timestamp|time|start|date de debut|czas|vrijeme|vreme|measurement time|messzeit|tijd',
  ),
};

export const COMPONENT_WORD = word(
  'component|parameter|pollutant|polluant|magnitud|contaminante|inquinante|parametar|parametr|wskaznik|schadstoff|komponente|species|onecisujuca tvar|polutant|parametro|sensor',
);
export const STATION_WORD = word(
  'station|station id|station code|site|site id|estacion|codigo estacion|punto muestreo|postaja|sifra postaje|kod postaje|stanica|kod stanice|stacja|kod stacji|code site|stationscode|stazione|id stazione|idsensore|allomas|merilno mesto|samplingpoint',
);
export const VALUE_WORD = word(
  'value|valor|valeur|valore|wert|messwert|vrijednost|vrednost|wartosc|hodnota|ertek|waarde|measurement|concentration|koncentracija|sample measurement',
);
export const VALID_WORD = word(
  'valid|validity|validez|validite|validacija|status|stato|flag|state|estado|code qualite|qualite|statut|vf|valido|ok|oznaka valjanosti|waznosc',
);

interface Pollutant {
  readonly code: string;
  readonly words: RegExp;
  readonly unit: string;
}

/** Codes as the data dictionary of the EEA has them, and units where a title names none. */
const POLLUTANTS: readonly Pollutant[] = [
  ['PM2.5', 'pm ?2[.,_ ]?5', 'µg/m³'],
  ['PM10', 'pm ?10', 'µg/m³'],
  ['PM1', 'pm ?1', 'µg/m³'],
  ['NO2', 'no ?2|nitrogen dioxide|dioxido de nitrogeno|dusikov dioksid|azot dioksid', 'µg/m³'],
  ['NOX', 'no ?x|nox as no2|oxidos de nitrogeno', 'µg/m³'],
  ['NO', 'no|nitric oxide|monoxido de nitrogeno', 'µg/m³'],
  ['O3', 'o ?3|ozone|ozono|ozon', 'µg/m³'],
  [
    'SO2',
    'so ?2|sulphur dioxide|sulfur dioxide|dioxido de azufre|sumporov dioksid|sumpor dioksid',
    'µg/m³',
  ],
  ['CO', 'co|carbon monoxide|monoxido de carbono|ugljikov monoksid|ugljen monoksid', 'mg/m³'],
  ['C6H6', 'c ?6 ?h ?6|benzene|benceno|benzen|benzol|bz', 'µg/m³'],
  ['NH3', 'nh ?3|ammonia|amoniaco|amonijak', 'µg/m³'],
  ['H2S', 'h ?2 ?s|hydrogen sulphide', 'µg/m³'],
  ['temperature', 'temp|temperature|temperatura|temperatur|t zraka|ta', '°C'],
  [
    'humidity',
    'rh|humidity|relative humidity|humedad|humedad relativa|vlaga|relativna vlaga|hr',
    '%',
  ],
  ['pressure', 'pressure|presion|tlak|pritisak|luftdruck|pres', 'hPa'],
  [
    'wind speed',
    'ws|wind speed|velocidad del viento|vv|brzina vjetra|brzina vetra|windgeschwindigkeit',
    'm/s',
  ],
  [
    'wind direction',
    'wd|wind direction|direccion del viento|dv|dd|smjer vjetra|smer vetra|windrichtung',
    '°',
  ],
].map(([code = '', words = '', unit = '']) => ({
  code,
  unit,
  words: new RegExp(`^(?:${words})$`),
}));

const UNIT = /(?:[µuμ]g|mg|ng)\s*[/.]?\s*m\W?[-–]?\s*[3³]|pp[bm]|°\s?C|hPa|mbar|m\s?\/\s?s|%/iu;

/** The component that a title or a cell names, and its unit; undefined for none. */
export function pollutantOf(
  title: string,
): { readonly code: string; readonly unit: string } | undefined {
  const unit = UNIT.exec(title)?.[0];
  const words = plain(unit === undefined ? title : title.replace(unit, ' '))
    .replace(/[%.]$/, '')
    .trim();
  const found = POLLUTANTS.find((one) => one.words.test(words));
  return found && { code: found.code, unit: unit ?? found.unit };
}
