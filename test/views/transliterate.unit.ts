/** Serbian Latin to Cyrillic: digraphs, words that only look like having one, and what is kept. */
import t from 'tap';
import { inCyrillic, inLatin, transliterate } from '../../src/views/transliterate.js';

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

void t.test('what stands in braces keeps its letters in either script', async (t) => {
  t.equal(inLatin`Merna jedinica ${'ug/m3'}, polje ${'unit'}`, 'Merna jedinica ug/m3, polje unit');
  t.equal(
    inCyrillic`Merna jedinica ${'ug/m3'}, polje ${'unit'}`,
    'Мерна јединица ug/m3, поље unit',
  );
});
