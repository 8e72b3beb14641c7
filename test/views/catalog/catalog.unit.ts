/** The catalogue: the official shapes, its sixteen nodes, its addresses, and the chunks that it is made of. */
import fc from 'fast-check';
import type { Store } from 'n3';
import t from 'tap';
import type { Organization } from '../../../src/snapshot/domain/model.js';
import { baseUrlText, renderChunks } from '../../../src/views/base-url.js';
import { renderCatalog } from '../../../src/views/catalog/catalog.js';
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
  publisher: { ...publisher, additional: { email: 'call us', website: 'javascript:0' } },
  box: undefined,
};

/** DCAT-AP 2.1.1 knows only SHA-1; later releases allow any (README beside the shapes). */
const ALGORITHM = 'http://spdx.org/rdf/terms#algorithm';

function valuesOf(store: Store, subject: string | null, property: string): readonly string[] {
  return store.getObjects(subject, property, null).map(({ value }) => value);
}

/** The whole catalogue and the bare one, for all tests that only read. */
const read = (one: CatalogInput) => readJsonLd(renderCatalog(one).join(baseUrlText(BASE)));
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

void t.test('chunks join to JSON of any texts and base URL; lengths add up', async () => {
  const texts = fc.array(fc.oneof(fc.string(), fc.constantFrom('<base-url-0>', '<base-url-1>"')));
  const path = fc.string({ unit: fc.constantFrom('a', '9', '-', '/', '%', '?', '&', 'č') });
  const bases = fc.oneof(
    path.map((text) => `https://a.rs/${text}`),
    fc.constantFrom('http://[::1]:8080', 'https://a.rs/"x'),
  );
  fc.assert(
    fc.property(texts, bases, (names, base) => {
      const chunks = renderChunks(names, (iri) => names.map((name) => [name, iri('/a'), iri('')]));
      const address = base.replace(/\/+$/, '');
      const whole = JSON.stringify(names.map((name) => [name, `${address}/a`, address]));
      const text = chunks.join(baseUrlText(base));
      if (text !== whole) throw new Error(`${text}\n${whole}`);
      const bytes = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0);
      const between = (chunks.length - 1) * Buffer.byteLength(baseUrlText(base));
      if (bytes + between !== Buffer.byteLength(whole)) throw new Error('lengths differ');
    }),
  );
});
