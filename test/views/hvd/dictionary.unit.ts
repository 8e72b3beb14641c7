/** The data dictionary and all that is made of it, in each language. */
import t from 'tap';
import { FORBIDDEN_FIELDS, LANGUAGES } from '../../../src/snapshot/domain/model.js';
import { renderBundleReadme } from '../../../src/views/hvd/bundle-readme.js';
import { viewDataDictionary } from '../../../src/views/hvd/dictionary.js';
import { fieldNames, HVD_COMPONENTS, HVD_FIELDS } from '../../../src/views/hvd/fields.js';
import { MESSAGES } from '../../../src/views/messages/languages.js';
import { serbian } from '../../../src/views/messages/sr-latn.js';
import { transliterate } from '../../../src/views/transliterate.js';
import { HEADER } from '../../support/expected/observation-columns.js';

const PUBLISHER = {
  ...{ id: 2, shortName: 'ZZJZ', additional: {} },
  name: 'Zavod "Čist vazduh", Niš | a_b',
};

/** Every text in a tree of messages, with its path. */
function* textsIn(tree: unknown, path = ''): Generator<readonly [string, string]> {
  if (typeof tree === 'string') yield [path, tree];
  else if (typeof tree === 'object' && tree !== null) {
    for (const [name, branch] of Object.entries(tree)) yield* textsIn(branch, `${path}.${name}`);
  }
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
    const { components } = MESSAGES[language].dictionary;
    for (const value of HVD_FIELDS.stations[6].values) {
      t.ok(components.stations.fields.station_type.includes(value), `${language} ${value}`);
    }
    t.ok(components.parameters.fields.averaging_period.includes('1h'));
    t.ok(components.observations.fields.data_status.includes('preliminary'));
    t.ok(components.observations.fields.aggregation_type.includes('hourly_mean'));
  }
});

void t.test(
  'Latin texts have no Cyrillic letter, and Serbian ones none that Serbian lacks',
  async (t) => {
    for (const language of ['en', 'sr-Latn'] as const) {
      for (const [path, text] of textsIn(MESSAGES[language])) {
        // A language is offered in its own letters.
        if (path === '.layout.languages.sr-Cyrl') continue;
        t.notMatch(text, /\p{Script=Cyrl}/u, path);
      }
    }
  },
);

void t.test(
  'Cyrillic texts have a Latin letter only in what is marked as not Serbian',
  async (t) => {
    // Pages have more than texts in their messages: theirs are looked at as they are served.
    const { dictionary, catalog, readme } = serbian((literals) =>
      literals.map(transliterate).join('#'),
    );
    for (const [path, text] of textsIn({ dictionary, catalog, readme }))
      t.notMatch(text, /\p{Script=Latn}/u, path);
  },
);

void t.test('what is marked as not Serbian is no Serbian word', async (t) => {
  const marked = new Set<string>();
  serbian((literals, ...verbatim) => {
    for (const one of verbatim) marked.add(one);
    return literals.join('');
  });
  for (const one of marked) t.notMatch(one, /[čćžšđČĆŽŠĐ\p{Script=Cyrl}]/u, one);
});

void t.test('texts hold no forbidden name and no doubled blank', async (t) => {
  const wrong: string[] = [];
  for (const language of LANGUAGES) {
    for (const [path, text] of textsIn(MESSAGES[language])) {
      if (text.includes('  ')) wrong.push(`${language}${path}: a doubled blank`);
      for (const name of FORBIDDEN_FIELDS) {
        if (text.includes(name)) wrong.push(`${language}${path}: ${name}`);
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
