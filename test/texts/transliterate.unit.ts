/** Serbian Latin to Cyrillic: digraphs, words that only look like having one, and what is kept. */
import t from 'tap';
import { inCyrillic, parseWords, transliterate } from '../../src/texts/transliterate.js';

const CASES: Readonly<Record<string, string>> = {
  'Ljubav, LJUBAV, ljubav': 'Љубав, ЉУБАВ, љубав',
  'Njegoš, NJEGOŠ, konj': 'Његош, ЊЕГОШ, коњ',
  'Džep, DŽEP, budžet': 'Џеп, ЏЕП, буџет',
  'Đorđe, ćevap, čaša, žaba, šuma': 'Ђорђе, ћевап, чаша, жаба, шума',
  'Čćžšđ ČĆŽŠĐ': 'Чћжшђ ЧЋЖШЂ',
  // A prefix that ends in d before ž, and foreign words with n before j.
  'nadživeti, Nadživeo, NADŽIVETI': 'надживети, Надживео, НАДЖИВЕТИ',
  'podžanr, odživeti, predživot': 'поджанр, одживети, предживот',
  'injekcija, INJEKCIJA, dezinjekcija': 'инјекција, ИНЈЕКЦИЈА, дезинјекција',
  'konjugacija, konjunktura, konjunktivitis': 'конјугација, конјунктура, конјунктивитис',
  'anjon, Tanjug, vanjezički': 'анјон, Танјуг, ванјезички',
  // Words that begin alike, but have the digraph.
  'Odžaci, odžak, nadžak, panj, konjanik': 'Оџаци, оџак, наџак, пањ, коњаник',
  'Surčin, Jugozapadni, 5 dana': 'Сурчин, Југозападни, 5 дана',
  // One character for two letters, and a letter with a combining mark.
  'ǈubav ǆep ǋegoš c\u030Caša': 'Љубав џеп Његош чаша',
  GGGG: 'ГГГГ',
};

for (const [latin, cyrillic] of Object.entries(CASES)) {
  void t.test(`writes ${latin}`, async (t) => {
    t.equal(transliterate(latin), cyrillic);
  });
}

/** With words that stay, and one that is written in its own way. */
const WORDS = parseWords('# comment\nApache Parquet\nLinux\nRS = РС\n');

const TEXTS: Readonly<Record<string, string>> = {
  'Merna jedinica `ug/m3`, polje `unit`': 'Мерна јединица `ug/m3`, поље `unit`',
  'Vidite https://example.rs/uslovi i /legal/terms.':
    'Видите https://example.rs/uslovi и /legal/terms.',
  'Pišite na vazduh@example.rs': 'Пишите на vazduh@example.rs',
  'Izmereno {{ generated-at }}: PM10 i station_id':
    'Измерено {{ generated-at }}: PM10 и station_id',
  'Datoteke Apache Parquet, sistem Linux, glasnik RS':
    'Датотеке Apache Parquet, систем Linux, гласник РС',
  'API-ja, GeoJSON, C₆H₆, 30 dana': 'API-ја, GeoJSON, C₆H₆, 30 дана',
  '[Uslovi](/legal/terms)': '[Услови](/legal/terms)',
  Linuksa: 'Линукса',
};

for (const [latin, cyrillic] of Object.entries(TEXTS)) {
  void t.test(`writes the text ${latin}`, async (t) => {
    t.equal(inCyrillic(WORDS)(latin), cyrillic);
  });
}
