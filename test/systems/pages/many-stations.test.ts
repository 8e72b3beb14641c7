/** Networks of thousands of stations: the portal is a page of bounded size that says what it leaves out, and finds the rest. */
import t, { type Test } from 'tap';
import { generateDocument } from '../../support/documents/documents.js';
import { get } from '../../support/service/requests.js';
import { publish, startService, type Service } from '../../support/service/service.js';

/** Rows of the table and markers of the map, at most. */
const LIMIT = 1000;

const LIMITED = {
  'sr-Latn': [/Karta prikazuje 1000 od (\d+) stanica/, /Navedeno je prvih 1000\./],
  'sr-Cyrl': [/Карта приказује 1000 од (\d+) станица/, /Наведено је првих 1000\./],
  en: [/The map shows 1000 of (\d+) stations/, /The first 1000 are listed\./],
} as const;

const count = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;

const rowsIn = (page: string): number => count(page, /<tr data-q=/g);
const markersIn = (page: string): number => count(page, /class="marker /g);

async function pageOf(t: Test, service: Service, target: string): Promise<string> {
  const { status, body } = await get(service, target);
  t.equal(status, 200, target);
  return body.toString();
}

const sizes = new Map<number, number>();

const service = await startService(t, { expect: ['unavailable'] });

for (const stations of [1200, 3600]) {
  await t.test(`of ${stations}`, async (t) => {
    const from = service.lines.length;
    await publish(service, generateDocument({ stations, components: 1, hours: 2 }));
    await service.waitForLog('activated', from);
    const first = await pageOf(t, service, '/');
    t.equal(rowsIn(first), LIMIT);
    t.ok(markersIn(first) > LIMIT / 2 && markersIn(first) <= LIMIT, `${markersIn(first)} markers`);
    sizes.set(stations, first.length);

    for (const [language, said] of Object.entries(LIMITED)) {
      const page = await pageOf(t, service, `/?language=${language}`);
      for (const words of said) t.match(page, words, language);
    }
    await t.test('finds a station that is not listed, and draws it', async (t) => {
      const names = (await get(service, '/stations')).body.toString();
      const all = JSON.parse(names) as readonly { station_id: number; station_name: string }[];
      const listed = new Set(idsIn(first));
      const missing = all.find(({ station_id: id }) => !listed.has(String(id)));
      if (missing === undefined) throw new Error('all are listed');
      const { station_id: id, station_name: name } = missing;
      const page = await pageOf(t, service, `/?q=${encodeURIComponent(name)}`);
      t.ok(idsIn(page).includes(String(id)), name);
      t.notMatch(page, LIMITED['sr-Latn'][1]);
      t.match(page, new RegExp(`<a class="marker [^>]*data-station="${id}"`));
      const panel = await pageOf(t, service, `/?station_id=${id}`);
      t.ok(panel.includes(`data-station="${id}"`), 'one that is open is on the map too');
    });
  });
}

await t.test('a page of three times the stations is hardly larger', async (t) => {
  const [few = 0, many = Infinity] = [...sizes.values()];
  t.ok(many < few * 1.1, `${few} and ${many} characters`);
});

function idsIn(page: string): readonly string[] {
  const rows = page.split('<tbody>')[1] ?? '';
  return [...rows.matchAll(/data-station="(\d+)"/g)].map(([, id]) => id ?? '');
}
