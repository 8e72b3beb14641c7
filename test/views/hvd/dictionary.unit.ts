/** The data dictionary and all that is made of it, in each language. */
import t from 'tap';
import { FORBIDDEN_FIELDS } from '../../../src/snapshot/domain/model.js';
import { MESSAGE_FILES } from '../../../src/texts/text-files.js';
import { LANGUAGES, messagesOf } from '../../../src/texts/texts.js';
import { renderBundleReadme } from '../../../src/views/hvd/bundle-readme.js';
import { viewDataDictionary } from '../../../src/views/hvd/dictionary.js';
import { fieldNames, HVD_COMPONENTS, HVD_FIELDS } from '../../../src/views/hvd/fields.js';
import { HEADER } from '../../support/expected/observation-columns.js';

void t.test('a dictionary defines fields in sentences', async (t) => {
  for (const language of LANGUAGES) {
    for (const { fields } of viewDataDictionary(language).components) {
      for (const { name, definition } of fields) t.match(definition, /^\S.{15,}\.$/u, name);
    }
    const means = messagesOf(language, 'dictionary');
    for (const value of HVD_FIELDS.stations[6].values) {
      t.ok(means('stations-field-station_type').includes(value), `${language} ${value}`);
    }
  }
});

void t.test('texts are in the letters of their language, and hold no forbidden name', async (t) => {
  for (const language of LANGUAGES) {
    const foreign = language === 'sr-Cyrl' ? /[čćžšđ]/i : /\p{Script=Cyrl}/u;
    for (const file of MESSAGE_FILES) {
      for (const [id, text] of Object.entries(messagesOf(language, file).plain())) {
        // Each language names itself in its own letters.
        if (file !== 'language') t.notMatch(text, foreign, `${language} ${file}.${id}`);
        t.notMatch(text, new RegExp(`  |${FORBIDDEN_FIELDS.join('|')}`), `${language} ${id}`);
      }
    }
  }
});

void t.test('the README of the bundle defines every field, and how to check', async (t) => {
  const name = 'Zavod "Čist vazduh", Niš | a_b';
  const publisher = { id: 2, shortName: 'ZZJZ', additional: {}, name };
  const text = renderBundleReadme({ header: HEADER, publisher });
  for (const component of HVD_COMPONENTS) {
    for (const name of fieldNames(component)) {
      t.ok(text.split(`\n| \`${name}\` |`).length >= 3, `${component}.${name}`);
    }
  }
  for (const part of ['sha256sum -c SHA256SUMS', 'CC BY', HEADER.snapshotId, 'preliminarni']) {
    t.ok(text.includes(part), part);
  }
  t.ok(text.includes('Zavod "Čist vazduh", Niš \\| a\\_b'), 'a name is no markup');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  for (const row of rows) t.equal(row.split(/(?<!\\)\|/).length, 6, row);
  t.notMatch(text, new RegExp(`undefined|\r|${FORBIDDEN_FIELDS.join('|')}`));
});
