/** The data dictionary and all that is made of it, in each language. */
import t from 'tap';
import { FORBIDDEN_FIELDS } from '../../../src/snapshot/domain/model.js';
import { LANGUAGES, messagesOf, type Language } from '../../../src/texts/texts.js';
import { renderBundleReadme } from '../../../src/views/hvd/bundle-readme.js';
import { viewDataDictionary } from '../../../src/views/hvd/dictionary.js';
import { fieldNames, HVD_COMPONENTS, HVD_FIELDS } from '../../../src/views/hvd/fields.js';
import { MESSAGE_FILES } from '../../../src/texts/files.js';
import { HEADER } from '../../support/expected/observation-columns.js';

/** Names, codes and values, which have no Cyrillic form. */
const KNOWN = [
  'API',
  'HVD',
  'CC',
  'BY',
  'CSV',
  'JSON',
  'GeoJSON',
  'Apache',
  'Parquet',
  'UTC',
  'UTF',
  'ISO',
  'CRLF',
  'RFC',
  'SHA',
  'WGS',
  'EU',
  'UCUM',
  'CAS',
  'PM',
  'NO',
  'SO',
  'null',
  'true',
  'false',
  'traffic',
  'urban',
  'background',
  'industrial',
  'rural',
  'other',
  'preliminary',
  'hourly_mean',
  'stations',
  'observations',
  'parameters',
  'Linux',
  'macOS',
  'Atom',
  'Bura',
  'SVG',
  'PNG',
  'Home',
  'End',
  'Natural',
  'Earth',
  'GeoNames',
  'JavaScript',
  'OpenAPI',
  'm',
  'g',
];

const PUBLISHER = {
  id: 2,
  shortName: 'ZZJZ',
  additional: {},
  name: 'Zavod "Čist vazduh", Niš | a_b',
};

/** Messages that need no value, by file and name. */
function textsIn(language: Language): readonly (readonly [string, string])[] {
  return MESSAGE_FILES.flatMap((file) =>
    Object.entries(messagesOf(language, file).plain()).map(
      ([id, text]) => [`${file}.${id}`, text] as const,
    ),
  );
}

for (const language of LANGUAGES) {
  void t.test(`the ${language} dictionary defines exactly the fields of the table`, async (t) => {
    const dictionary = viewDataDictionary(language);
    t.strictSame(
      dictionary.components.map(({ name }) => name),
      HVD_COMPONENTS,
    );
    for (const component of dictionary.components) {
      t.strictSame(
        component.fields.map((field) => ({ ...field, definition: '' })),
        HVD_FIELDS[component.name].map(({ name, type, required, constant, references }) => ({
          name,
          type,
          required,
          constant,
          references,
          definition: '',
        })),
      );
      for (const { name, definition } of component.fields) {
        t.match(definition, /^\S.{15,}\.$/u, `${component.name}.${name} is a sentence`);
      }
    }
  });
}

void t.test('an enum and a constant are named in their definitions', async (t) => {
  for (const language of LANGUAGES) {
    const means = messagesOf(language, 'dictionary');
    for (const value of HVD_FIELDS.stations[6].values) {
      t.ok(means('stations-field-station_type').includes(value), `${language} ${value}`);
    }
    t.ok(means('parameters-field-averaging_period').includes('1h'));
    t.ok(means('observations-field-data_status').includes('preliminary'));
    t.ok(means('observations-field-aggregation_type').includes('hourly_mean'));
  }
});

void t.test('Latin texts have no Cyrillic letter', async (t) => {
  for (const language of ['en', 'sr-Latn']) {
    for (const [path, text] of textsIn(language)) t.notMatch(text, /\p{Script=Cyrl}/u, path);
  }
});

void t.test('Cyrillic texts have no Latin words but names and codes', async (t) => {
  const fields = new Set<string>(HVD_COMPONENTS.flatMap((component) => fieldNames(component)));
  const known = new Set([...fields, ...KNOWN]);
  for (const [path, text] of textsIn('sr-Cyrl')) {
    if (path.startsWith('language.')) continue;
    const words = text.replaceAll(/https?:\S+|`[^`]*`|\]\([^)]*\)/g, '').match(/[a-zčćžšđ_]{2,}/gi);
    t.same(
      (words ?? []).filter((word) => !known.has(word)),
      [],
      path,
    );
  }
});

void t.test('texts hold no forbidden name and no doubled blank', async (t) => {
  const wrong: string[] = [];
  for (const language of LANGUAGES) {
    for (const [path, text] of textsIn(language)) {
      if (text.includes('  ')) wrong.push(`${language} ${path}: a doubled blank`);
      for (const name of FORBIDDEN_FIELDS) {
        if (text.includes(name)) wrong.push(`${language} ${path}: ${name}`);
      }
    }
  }
  t.same(wrong, []);
});

void t.test('the README of the bundle defines every field, and how to check', async (t) => {
  const text = renderBundleReadme({ header: HEADER, publisher: PUBLISHER });
  t.notOk(text.includes('undefined'));
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
  for (const name of FORBIDDEN_FIELDS) t.notOk(text.includes(name), name);
  t.notOk(text.includes('\r'));
});
