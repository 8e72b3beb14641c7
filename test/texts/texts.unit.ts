/** Texts as files: parts that a page leaves out, faults of files, and the service's own files. */
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { checkMessages } from '../../src/texts/check-messages.js';
import { checkTexts, findUntranslated } from '../../src/texts/check-texts.js';
import { parseLine, parsePage, type ProsePage } from '../../src/texts/markdown.js';
import { needsAttributionOnly, parseOperator } from '../../src/texts/operator.js';
import { parseScales } from '../../src/texts/scales.js';
import { readMessages } from '../../src/texts/fluent-messages.js';
import { linkValue, renderLine, renderProse } from '../../src/views/pages/prose.js';

/** Texts of files, and the problems that are named. */
const CASES = JSON.parse(await readFile('test/fixtures/cases/texts.json', 'utf8')) as Readonly<
  Record<'pages' | 'messages' | 'operators' | 'scales', Readonly<Record<string, string>>>
> & { readonly page: string };

function read(text: string): ProsePage {
  const { page, problems } = parsePage(text);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return page;
}

const STYLE = { language: 'en', theme: 'dark' } as const;

void t.test('a page is filled, without what has no value; a script stays text', async (t) => {
  const whole = renderProse(read(CASES.page), {
    style: STYLE,
    values: {
      operator: linkValue('https://example.org/?a&b', 'Agency & Sons'),
      'when-known': '',
      files: { text: '', html: '<table></table>', isBlock: true },
    },
  });
  const link = '<a href="https://example.org/?a&amp;b">Agency &amp; Sons</a>';
  t.same([whole.title, whole.description], ['Title', 'About Agency & Sons, in short.']);
  t.same(whole.introduction, [`About ${link}, in short.`, 'Without anybody.']);
  t.same(whole.sections, [
    {
      id: 'known',
      heading: 'Known',
      html: [
        '<ul>\n<li>one</li>\n<li>two</li>\n</ul>',
        `<dl class="facts">\n<div><dt>Name</dt><dd>${link}</dd></div>\n</dl>`,
        '<p class="note"><strong>Strong</strong> and <code>code Agency &amp; Sons</code>, ' +
          '<a href="/legal/terms?language=en&amp;theme=dark#use">there</a>.</p>',
        `<blockquote><p>A quotation of ${link}.</p></blockquote>`,
        '<pre class="commands" tabindex="0"><code>curl $BASE_URL/meta\n</code></pre>',
      ].join('\n'),
    },
    { id: 'files', heading: 'Files', html: '<table></table>' },
  ]);
  const bare = renderProse(read(CASES.page), { style: STYLE });
  t.same([bare.description, bare.introduction], ['Without anybody.', ['Without anybody.']]);
  t.same(bare.sections, [], 'a section whose heading or whose every block has no value');
  const script = parseLine('a [b](javascript:alert(1)) <b>"c"</b> `<c>`');
  t.equal(
    renderLine(script, { style: STYLE }),
    'a [b](javascript:alert(1)) &lt;b&gt;&#34;c&#34;&lt;/b&gt; <code>&lt;c&gt;</code>',
  );
});

void t.test('what is no Markdown of pages is named with its line', async (t) => {
  for (const [text, expected] of Object.entries(CASES.pages)) {
    const { problems } = parsePage(text);
    t.match(
      problems.map(({ line, problem }) => `${line}: ${problem}`).join('\n'),
      new RegExp(expected),
      text,
    );
  }
});

void t.test('numbers in messages have no separators, and a lost message is an error', async (t) => {
  const messages = readMessages('found = { $all } stanica\nplain = a{"\\u00A0"}b\n', 'sr-Latn');
  t.equal(messages('found', { all: 4321 }), '4321 stanica');
  t.same(messages.plain(), { plain: 'a\u00a0b' });
  t.throws(() => messages('found'), /all/);
  t.throws(() => messages('lost'), /no message lost/);
});

const MODEL = 'a = One { $x }\nb = { $n ->\n    [one] one\n   *[other] { $n }\n}\n';

void t.test('what is wrong in messages is named with its line', async (t) => {
  for (const [text, expected] of Object.entries(CASES.messages)) {
    const found = checkMessages(text, MODEL, 'es')
      .map(({ line, problem }) => `${line}: ${problem}`)
      .toSorted()
      .join('\n');
    t.equal(found, expected, text);
  }
  const [tag] = checkMessages('locale = no-such-', 'locale = en\n', 'en');
  t.match(tag?.problem, /not a language tag/);
});

void t.test('what is wrong in operator.json and scales.json is named with its line', async (t) => {
  for (const [text, expected, parse] of [
    ...Object.entries(CASES.operators).map((one) => [...one, parseOperator] as const),
    ...Object.entries(CASES.scales).map((one) => [...one, parseScales] as const),
  ]) {
    const [first] = parse(text).problems;
    const found = first === undefined ? '' : `${first.line}: ${first.problem}`;
    t.ok(expected === '' ? found === '' : found.startsWith(expected), `${text}: ${found}`);
  }
});

void t.test('only CC BY and the default are free but for attribution', async (t) => {
  const list = 'http://publications.europa.eu/resource/authority/licence/';
  const license = (uri?: string) =>
    needsAttributionOnly({
      license: { name: { en: 'Licence' }, url: 'https://example.org/', ...(uri && { uri }) },
    });
  t.ok(needsAttributionOnly(undefined));
  t.ok(license(`${list}CC_BY_4_0`));
  t.notOk(license(`${list}CC_BYNC_4_0`));
  t.notOk(license());
  t.notOk(needsAttributionOnly({}));
});

void t.test('our texts and the demonstration have no fault', async (t) => {
  const ours = t.testdir();
  const filter = (path: string): boolean => path !== join('texts', 'openapi');
  await cp('texts', ours, { recursive: true, filter });
  t.same(checkTexts(ours), []);
  t.same(checkTexts('data/demo/texts'), []);
  t.same(findUntranslated('data/demo/texts'), []);
});

void t.test('texts that are still in English are named by file', async (t) => {
  const read = (path: string) => readFile(path, 'utf8');
  const [messages, english] = [await read('texts/sr-Latn/qos.md'), await read('texts/en/qos.md')];
  const spanish = await read('data/demo/texts/es/portal.ftl');
  const long = english.split('\n').find((line) => line.length > 60) ?? '';
  const folder = t.testdir({
    fr: { 'qos.md': english, 'portal.ftl': `${spanish}\nno-values = API, CSV, JSON, XLSX\n` },
    // Serbian in every line but one.
    hr: { 'qos.md': messages.replace(/^.*$/m, long) },
    'en-GB': { 'qos.md': english },
    'sr-Cyrl': { 'qos.md': english },
  });
  const found = findUntranslated(folder).map(
    ({ file, line, problem }) => `${file} ${line} ${problem}`,
  );
  t.equal(found.length, 2);
  t.match(found[0], /^fr\/qos\.md \d+ (\d+) of \1 texts are still in English$/);
  t.match(found[1], /^hr\/qos\.md 1 1 of \d+ texts are still in English$/);
});
