/** Workbooks for `bura.sql`: files of other programs, and refusals before memory or disk is used. */
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import t, { type Test } from 'tap';
import { prepareFolder } from '../../src/publishing/sql/folder.js';
import { Problems } from '../../src/snapshot/document/problems.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface Parts {
  readonly sheets: Readonly<Record<string, string>>;
  readonly sharedStrings?: string;
  readonly properties?: string;
}

const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm;@"/><numFmt numFmtId="165" formatCode="0.0&quot;d&quot;"/></numFmts>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;

/** A workbook of these sheets: the XML of their rows. */
function workbook({ sheets, sharedStrings = '', properties = '' }: Parts): Uint8Array {
  const names = Object.keys(sheets);
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`);
  const relations = names.map(
    (_, at) => `<Relationship Id="r${at}" Type="${RELATIONS}/worksheet" Target="s${at}.xml"/>`,
  );
  const texts: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr ${properties}/><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/styles.xml': STYLES,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${sharedStrings}</sst>`,
  };
  for (const [at, rows] of Object.values(sheets).entries()) {
    texts[`xl/s${at}.xml`] =
      `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;
  }
  return zipSync(
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])),
  );
}

async function foldersOf(t: Test): Promise<{ readonly from: string; readonly into: string }> {
  const [from, into] = [join(t.testdir(), 'from'), join(t.testdirName, 'into')];
  await mkdir(from);
  await mkdir(into);
  return { from, into };
}

async function csvOf(t: Test, bytes: Uint8Array): Promise<Readonly<Record<string, string>>> {
  const { from, into } = await foldersOf(t);
  await writeFile(join(from, 'b.xlsx'), bytes);
  const prepared = await prepareFolder(from, into, { problems: new Problems() });
  const names = prepared.get('b.xlsx')?.readAs.slice(1) ?? [];
  const texts = names.map(async (name) => [
    name.slice('b.xlsx.'.length, -'.csv'.length),
    await readFile(join(into, name), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(texts)) as Readonly<Record<string, string>>;
}

async function refusal(t: Test, bytes: Uint8Array): Promise<string> {
  const startedAt = Date.now();
  const said = await csvOf(t, bytes).then(
    (texts) => `read: ${JSON.stringify(texts).slice(0, 100)}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  t.ok(Date.now() - startedAt < 20_000, 'in bounded time');
  t.match(said, /^b\.xlsx: [^\n]+$/, 'one line');
  return said;
}

void t.test('cells and rows without addresses follow each other', async (t) => {
  const bytes = await readFile('test/fixtures/workbooks/without-addresses.xlsx');
  t.same(await csvOf(t, bytes), { Daten: 't,v\n2025-07-01 12:00,5.5\n' });
  const sheets = {
    some: '<row r="2"><c><v>1</v></c><c r="D2"><v>2</v></c><c><v>3</v></c></row><row><c><v>4</v></c></row>',
    cells: '<row><c r="B3"><v>1</v></c></row><row><c r="A5"><v>2</v></c></row>',
    none: '<row/><row><c/><c t="inlineStr"><is><t> </t></is></c></row><row r="9"><c s="1"/></row>',
    empty: '',
  };
  t.same(await csvOf(t, workbook({ sheets })), {
    some: ',,,,\n1,,,2,3\n4,,,,\n',
    cells: ',\n,\n,1\n,\n2,\n',
    none: ',\n, \n',
    empty: '',
  });
});

void t.test('each type of cell, with prefixes too', async (t) => {
  const rows = `<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" t="str"><f>x</f><v>_x0041__x005F_x</v></c>
    <c r="C1" t="b"><v>1</v></c><c r="D1" t="e"><v>#N/A</v></c><c r="E1" t="d"><v>2026-03-01T05:00:00</v></c>
    <c r="F1" t="d"><v>2026-03-01T05:00:00+02:00</v></c><c r="G1"><v>1E-7</v></c><c r="H1" s="1"><v>46082.25</v></c>
    <c r="I1" s="2"><v>46082.999999</v></c><c r="J1" s="3"><v>5.5</v></c><c r="K1" t="s"><v>0</v></c></row>`;
  const sharedStrings =
    '<si><t>a,"b"</t><rPh><t>no</t></rPh></si><si><r><t>1 </t></r><r><t><![CDATA[<2>]]></t></r></si>';
  const line =
    '1 <2>,A_x,true,,2026-03-01 05:00:00,2026-03-01 03:00:00,1e-7,2026-03-01 06:00:00,2026-03-02 00:00:00,5.5,"a,""b"""\n';
  t.same(await csvOf(t, workbook({ sheets: { s: rows }, sharedStrings })), { s: line });
  const prefixed = rows.replaceAll(/<(\/?)(?=\w)/g, '<$1x:');
  t.same(await csvOf(t, workbook({ sheets: { s: prefixed }, sharedStrings })), { s: line });
  const cell = '<row><c s="1"><v>44620.25</v></c></row>';
  t.same(await csvOf(t, workbook({ sheets: { s: cell }, properties: 'date1904="1"' })), {
    s: '2026-03-01 06:00:00\n',
  });
});

const CELL = (value: string, more = ''): string => `<row><c ${more}><v>${value}</v></c></row>`;
const MANY = 1_000_000;

/** Invalid cells: the rows of the sheet `a`, and the errors. */
const WRONG = JSON.parse(
  await readFile('test/fixtures/cases/refused-cells.json', 'utf8'),
) as Readonly<Record<string, readonly [rows: string, says: string]>>;

/** Small workbooks that declare large contents. */
const LARGE: Readonly<Record<string, readonly [rows: () => string, says: RegExp]>> = {
  'many cells in the last column': [
    () =>
      `<row><c r="XFD1"><v>1</v></c></row>${'<row><c/></row>'.repeat(9)}${CELL('1').repeat(MANY / 10)}`,
    /sheet "a" has more than 536870912 bytes as CSV up to cell XFD\d+$/,
  ],
  'one long shared string in each cell': [
    () => CELL('0', 't="s"').repeat(MANY / 5),
    /sheet "a" has more than 536870912 bytes as CSV up to cell A\d+$/,
  ],
  'elements without an end': [() => '<row>'.repeat(MANY), /sheet "a", row \d+: /],
  'elements in each other': [
    () => `<row>${'<x>'.repeat(MANY)}`,
    /sheet "a", row 1: more than 64 nested elements/,
  ],
  'an attribute without an end': [
    () => `<row r="${'1'.repeat(20 * MANY)}`,
    /more than \d+ bytes without an element/,
  ],
  'a text without an end': [
    () => CELL('a'.repeat(20 * MANY), 't="str"'),
    /sheet "a", cell A1: more than \d+ bytes without an element/,
  ],
};

for (const [what, [rows, says]] of [...Object.entries(WRONG), ...Object.entries(LARGE)]) {
  void t.test(`refuses ${what}`, async (t) => {
    const sharedStrings = `<si><t>${'é'.repeat(20_000)}</t></si>`;
    const a = typeof rows === 'string' ? rows : rows();
    t.match(await refusal(t, workbook({ sheets: { a }, sharedStrings })), new RegExp(says));
  });
}

void t.test('refuses no sheet, two of one name, and strings larger than memory', async (t) => {
  const a = CELL('1');
  for (const [parts, says] of [
    [{ sheets: {} }, /no sheet in it/],
    [{ sheets: { 'a/b': a, a_b: a } }, /a sheet of a workbook beside it would have the name of/],
    [
      { sheets: { a }, sharedStrings: '<si><t>a</t></si>'.repeat(4 * MANY) },
      /sharedStrings\.xml: \d+ bytes unpacked, expected 67108864 at most/,
    ],
  ] as const) {
    t.match(await refusal(t, workbook(parts)), says);
  }
});

void t.test('refuses bytes that are not those of the directory, and other formats', async (t) => {
  const bytes = Buffer.from(workbook({ sheets: { a: CELL('1').repeat(5000) } }));
  const directory = bytes.lastIndexOf('PK\x01\x02');
  const changed = (offset: number, value: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy.writeUInt32LE(value, offset);
    return copy;
  };
  const size = bytes.readUInt32LE(directory + 24);
  t.match(await refusal(t, changed(directory + 24, 0xffff_ffff)), /4294967295 bytes unpacked/);
  for (const wrong of [size - 1, size + 1, 0]) {
    t.match(await refusal(t, changed(directory + 24, wrong)), /damaged/);
  }
  t.match(await refusal(t, changed(directory + 16, 7)), /damaged/);
  const long = await refusal(t, changed(bytes.length - 10, 0x7fff_ffff));
  t.match(long, /a directory of 2147483647 bytes/);
  const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5000)]);
  t.match(await refusal(t, old), /save it as \.xlsx/);
  t.match(await refusal(t, Buffer.alloc(0)), /not a ZIP file, or cut/);
  // However often it is read: the streams of a workbook come in any order.
  const whole = await readFile('test/fixtures/workbooks/without-addresses.xlsx');
  const cuts = Array.from({ length: 8 }, (_, eighth) => Math.floor((eighth * whole.length) / 8));
  for (const cut of [...cuts, whole.length - 1]) await refusal(t, whole.subarray(0, cut));
});

void t.test('writes nothing through a link, and replaces no file', async (t) => {
  const bytes = workbook({ sheets: { Data: CELL('1'), 'a/b': CELL('2') } });
  for (const name of ['b.xlsx.Data.csv', 'b.xlsx.csv', 'b.xlsx.a_b.csv']) {
    const { from, into } = await foldersOf(t);
    const outside = join(t.testdirName, 'outside.csv');
    await writeFile(outside, 'kept\n');
    await writeFile(join(from, 'b.xlsx'), bytes);
    // Before and after the workbook, in the order of the folder.
    await symlink(outside, join(from, name));
    await copyFile(join(from, 'b.xlsx'), join(from, 'a.xlsx'));
    await symlink(outside, join(from, name.replace('b.xlsx', 'a.xlsx')));
    await t.rejects(prepareFolder(from, into, { problems: new Problems() }), {
      message: /^[ab]\.xlsx\S*: a sheet of a workbook beside it would have the name of a file$/,
    });
    t.equal(await readFile(outside, 'utf8'), 'kept\n');
    t.same((await readdir(from)).length, 4);
  }
});
