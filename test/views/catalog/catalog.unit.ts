/** The catalogue: the official shapes, its nodes, its addresses; and the same record for search engines and as Croissant. */
import type { Store } from 'n3';
import t from 'tap';
import type { Organization } from '../../../src/snapshot/domain/model.js';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { viewCatalog } from '../../../src/views/catalog/catalog.js';
import { viewCroissant } from '../../../src/views/catalog/croissant.js';
import { viewDataset } from '../../../src/views/catalog/dataset.js';
import type { CatalogInput } from '../../../src/views/catalog/distributions.js';
import { BULK_FILES } from '../../../src/views/hvd/bulk.js';
import { HEADER } from '../../support/expected/observation-columns.js';
import { findings, readJsonLd, shapeFiles } from '../../support/readers/shacl.js';

const BASE = 'https://vazduh.example.rs/bura';
const DCAT = 'http://www.w3.org/ns/dcat#';
const DCT = 'http://purl.org/dc/terms/';
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

const publisher: Organization = {
  id: 1,
  name: 'Agencija za zaštitu životne sredine',
  shortName: 'SEPA',
  additional: { email: 'kontakt@vazduh.example.rs', website: 'https://vazduh.example.rs' },
};
const input: CatalogInput = {
  hasWeather: true,
  components: [
    { id: 8, code: 'NO2', unit: 'µg/m³', name: undefined },
    { id: 9, code: 'T', unit: '°C', name: 'Air </script>' },
  ],
  hasArchive: false,
  header: HEADER,
  publisher,
  box: { west: 19.721709, south: 43.32, east: 21.9, north: 45.821483 },
  files: BULK_FILES.map(({ name }, index) => ({
    name,
    sizeBytes: 1000 + index,
    sha256: 'ab'.repeat(32),
  })),
};
const bare: CatalogInput = {
  ...input,
  hasArchive: true,
  publisher: { ...publisher, additional: { email: 'call us', website: 'javascript:0' } },
  box: undefined,
};

/** DCAT-AP 2.1.1 knows only SHA-1; later releases allow any (README beside the shapes). */
const ALGORITHM = 'http://spdx.org/rdf/terms#algorithm';

function valuesOf(store: Store, subject: string | null, property: string): readonly string[] {
  return store.getObjects(subject, property, null).map(({ value }) => value);
}

/** The whole catalogue and the bare one, for all tests that only read. */
const iri = (path: string) => BASE + path;
const read = (one: CatalogInput) => readJsonLd(JSON.stringify(viewCatalog(one, iri)));
const [store, bareStore] = await Promise.all([read(input), read(bare)]);

for (const file of shapeFiles()) {
  void t.test(`violates nothing in ${file}`, async (t) => {
    const all = (await Promise.all([store, bareStore].map((one) => findings(one, file)))).flat();
    t.strictSame(
      all.filter(({ severity, path }) => severity === 'Violation' && path !== ALGORITHM),
      [],
    );
  });
}

void t.test('addresses are absolute, and texts of nodes stand in three languages', async (t) => {
  for (const { subject, predicate, object } of store) {
    for (const term of [subject, predicate, object]) {
      if (term.termType === 'NamedNode') t.match(term.value, /^(https?:\/\/[^/]|mailto:.+@)/);
    }
  }
  for (const type of ['Catalog', 'Dataset', 'Distribution', 'DataService']) {
    for (const node of store.getSubjects(TYPE, DCAT + type, null)) {
      for (const property of ['title', 'description']) {
        const texts = store.getObjects(node, DCT + property, null);
        const languages = texts.map((one) => (one.termType === 'Literal' ? one.language : ''));
        t.equal(languages.sort().join(' '), 'en sr-cyrl sr-latn');
      }
    }
  }
});

void t.test('contacts and the box, longitude first, are as given', async (t) => {
  const email = 'http://www.w3.org/2006/vcard/ns#hasEmail';
  const corners = ['19.721709 43.32', '21.9 43.32', '21.9 45.821483', '19.721709 45.821483'];
  const box = `POLYGON((${[...corners, corners[0]].join(', ')}))`;
  t.strictSame([...new Set(valuesOf(store, null, `${DCAT}bbox`))], [box]);
  t.strictSame(valuesOf(store, null, email), ['mailto:kontakt@vazduh.example.rs']);
  t.strictSame(valuesOf(bareStore, null, email), [], 'what is no address is left out');
  const homepage = 'http://xmlns.com/foaf/0.1/homepage';
  t.strictSame(valuesOf(bareStore, `${BASE}/api/v1/dcat#publisher`, homepage), []);
});

void t.test('the archive adds two distributions, and changes nothing else', (t) => {
  const nodesOf = (one: CatalogInput) => viewCatalog(one, iri)['@graph'] as readonly object[];
  const [without, nodes] = [nodesOf(input), nodesOf({ ...input, hasArchive: true })];
  const ids = nodes.map((node) => ('@id' in node ? node['@id'] : ''));
  const further = ['archive', 'archive-daily'].map((kind) =>
    iri(`/api/v1/dcat#observations-${kind}`),
  );
  t.equal(without.length, 16);
  t.strictSame(
    ids.filter((id) => further.includes(String(id))),
    further,
  );
  const links = new RegExp(further.map((id) => `,{"@id":"${id}"}`).join('|'), 'g');
  const others = nodes.filter((_, at) => !further.includes(String(ids[at])));
  t.equal(JSON.stringify(others).replace(links, ''), JSON.stringify(without));
  t.end();
});

void t.test('search engines get the facts of the catalogue, in each language', (t) => {
  const id = iri('/api/v1/dcat#observations');
  const texts = (property: string, language: string) =>
    store
      .getObjects(id, property, null)
      .filter((one) => one.termType === 'Literal' && one.language === language.toLowerCase())
      .map(({ value }) => value);
  for (const language of LANGUAGES) {
    const dataset = viewDataset({ ...input, hasArchive: true }, language, iri);
    const { name, description, keywords, distribution, variableMeasured } = dataset;
    t.match(dataset, { '@type': 'Dataset', '@id': id, identifier: id, isAccessibleForFree: true });
    t.strictSame([name], texts(`${DCT}title`, language));
    t.strictSame(keywords, texts(`${DCAT}keyword`, language));
    t.ok(description.endsWith(texts(`${DCT}description`, language).join()), description);
    t.ok(description.length >= 50 && description.length <= 5000);
    t.equal(dataset.creator.name, publisher.name);
    t.strictSame([dataset.url], valuesOf(store, id, `${DCAT}landingPage`));
    const [period = null] = store.getObjects(id, `${DCT}temporal`, null);
    const ends = ['startDate', 'endDate'].map(
      (end) => store.getObjects(period, DCAT + end, null)[0],
    );
    t.equal(dataset.temporalCoverage, ends.map((end) => end?.value).join('/'));
    t.equal(dataset.spatialCoverage?.geo.box, '43.32 19.721709 45.821483 21.9');
    t.match(variableMeasured[1], { description: 'Air </script>', unitText: '°C' });
    const files = distribution.filter(({ sha256 }) => sha256 !== undefined);
    t.equal(distribution.length, files.length + 5);
    t.strictSame(
      files.map((file) => file.contentUrl).sort(),
      valuesOf(store, null, `${DCAT}downloadURL`).toSorted(),
    );
    for (const file of files) {
      t.strictSame(valuesOf(store, file['@id'], `${DCAT}byteSize`), [
        file.contentSize?.slice(0, -2),
      ]);
      const type = `https://www.iana.org/assignments/media-types/${file.encodingFormat}`;
      t.strictSame(valuesOf(store, file['@id'], `${DCAT}mediaType`), [type]);
    }
    t.equal(viewDataset(bare, language, iri).spatialCoverage, undefined);
  }
  t.end();
});

void t.test(
  'Croissant has what validators require: files, columns, keys and references',
  async (t) => {
    const croissant = viewCroissant({ ...input, hasArchive: true }, iri);
    const CR = 'http://mlcommons.org/croissant/';
    const parsed = await readJsonLd(JSON.stringify(croissant), iri('/'));
    const dataset = iri('/api/v1/dcat#observations');
    const SCHEMA = 'https://schema.org/';
    t.strictSame(valuesOf(parsed, dataset, `${DCT}conformsTo`), [`${CR}1.0`]);
    for (const name of ['name', 'description', 'license', 'url', 'creator', 'datePublished']) {
      t.equal(new Set(valuesOf(parsed, dataset, SCHEMA + name)).size, 1, name);
    }
    t.match(valuesOf(parsed, dataset, `${SCHEMA}version`)[0], /^\d\.\d\.\d$/);
    const files = parsed.getSubjects(TYPE, `${CR}FileObject`, null).map(({ value }) => value);
    t.equal(files.length, 6);
    for (const file of files) {
      for (const name of ['name', 'contentUrl', 'contentSize', 'encodingFormat', 'sha256'])
        t.equal(valuesOf(parsed, file, SCHEMA + name).length, 1, name);
    }
    t.equal(parsed.getSubjects(TYPE, `${CR}Field`, null).length, 34);
    t.equal(valuesOf(parsed, null, `${CR}key`).length, 5);
    const names = croissant.distribution.map((file) => file['@id']);
    const fields = croissant.recordSet.flatMap(({ field }) => field);
    const ids = fields.map((field) => field['@id']);
    for (const { source, dataType, ...field } of fields) {
      t.ok(names.includes(source.fileObject['@id']) && source.extract.column === field.name);
      t.match([dataType].flat().at(-1), /^sc:(?:Text|Float|Integer|Boolean|Date)$/);
      if ('references' in field) t.ok(ids.includes(field.references.field['@id']), field['@id']);
    }
    t.equal(fields.filter((field) => 'references' in field).length, 2);
  },
);
