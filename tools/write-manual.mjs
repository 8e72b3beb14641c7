/**
 * Writes the manual page from the definition of the command line, so that the page has exactly its flags.
 *
 * `node tools/write-manual.mjs COMPILED FILE`: COMPILED is `dist`, or `build/src` for tests. The format is man(7).
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [compiled, file] = process.argv.slice(2);
if (compiled === undefined || file === undefined) {
  throw new Error('usage: node tools/write-manual.mjs COMPILED FILE');
}

/** @param {string} path */
const load = (path) => import(pathToFileURL(resolve(join(compiled, path))).href);
const { createProgram } = await load('commands/program.js');
const { detailsOf } = await load('commands/command.js');
const { SETTING_FLAGS } = await load('settings.js');
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const program = createProgram();
const SETTINGS = new Set(SETTING_FLAGS.map((/** @type {{ flag: string }} */ { flag }) => flag));

const lines = [
  `.\\" Made by tools/write-manual.mjs from the command itself: npm run manual`,
  `.TH BURA 1 "${await released()}" "bura ${version}" "User Commands"`,
  '.SH NAME',
  `bura \\- ${plain(lowered(program.description()))}`,
  '.SH SYNOPSIS',
  '.B bura',
  '.I command',
  '.RI [ flag ...\\&]',
  '.RI [ argument ]',
  '.SH DESCRIPTION',
  plain(
    'Bura publishes snapshots of measurements as open data. A snapshot document is built from tables, published into ' +
      'a store, and served by every instance that follows the store. All commands read the same settings.',
  ),
  '.SH COMMANDS',
  ...program.commands.flatMap(commandLines),
  '.SH SETTINGS',
  plain('A flag comes before its environment variable. Every command takes all of them.'),
  ...SETTING_FLAGS.flatMap(settingLines),
  '.SH EXIT STATUS',
  ...term('.B 0', 'Done; health: ready.'),
  ...term('.B 1', 'Failed, with one line on standard error that says why; health: not ready.'),
  ...term('.B 2', 'Bad usage or configuration, with one line on standard error that names it.'),
  '.SH FILES',
  ...term(
    '.I ./var/store',
    'The default store: snapshot documents and the pointer to the active one.',
  ),
  ...term('.I ./var/local', 'Local copies of one instance. May be deleted while none runs.'),
  '.SH SEE ALSO',
  plain('README.md, docs/operations.md and docs/snapshot-format.md of the package.'),
];
await writeFile(file, `${lines.join('\n')}\n`);

/** The day of the release that the changelog describes first, or nothing before it is released. */
async function released() {
  const changelog = await readFile('CHANGELOG.md', 'utf8');
  return /^## \[[^\]]+\] - (\d{4}-\d\d-\d\d)$/m.exec(changelog)?.[1] ?? '';
}

/** @param {import('commander').Command} command */
function commandLines(command) {
  const words = command.registeredArguments.map((one) => `\\fI${plain(one.name())}\\fR`);
  const options = command.createHelp().visibleOptions(command);
  // A flag of the command itself may have the name of a setting; it is in no group of settings.
  const own = options.filter(
    ({ long, helpGroupHeading = '' }) =>
      long !== '--help' && !(SETTINGS.has(long) && helpGroupHeading.startsWith('Settings')),
  );
  const { examples, exitCodes } = detailsOf(command);
  const [done, failed] = exitCodes;
  return [
    `.SS bura ${[command.name(), ...words].join(' ')}`,
    plain(command.description().replace(/^./, (first) => first.toUpperCase())),
    ...own.flatMap((option) => term(`.B ${plain(option.flags)}`, described(option))),
    ...(done === 'done' ? [] : ['.P', plain(`Exit status: 0 ${done}; 1 ${failed}.`)]),
    '.P',
    '.EX',
    ...examples.map((/** @type {string} */ example) => plain(example)),
    '.EE',
  ];
}

/** @param {import('commander').Option} option */
function described(option) {
  const choices = option.argChoices === undefined ? '' : ` One of ${option.argChoices.join(', ')}.`;
  const fallback =
    option.defaultValue === undefined || option.isBoolean()
      ? ''
      : ` Default: ${option.defaultValue}.`;
  return `${sentence(option.description)}${choices}${fallback}`;
}

/** @param {{ flag: string, value: string, variable: string, meaning: string, shownDefault: string, choices?: readonly string[] }} setting */
function settingLines({ flag, value, variable, meaning, shownDefault, choices }) {
  const listed = choices === undefined ? '' : ` One of ${choices.join(', ')}.`;
  return term(
    `.BR ${plain(flag)} " \\fI${value}\\fR, " ${variable}`,
    `${sentence(meaning)}${listed} Default: ${shownDefault}.`,
  );
}

/**
 * @param {string} head
 * @param {string} text
 */
function term(head, text) {
  return ['.TP', head, plain(text)];
}

/** @param {string} text */
function sentence(text) {
  return text.replace(/^[a-z]/, (first) => first.toUpperCase()).replace(/[^.]$/, '$&.');
}

/** @param {string} text */
function lowered(text) {
  return text.replace(/^./, (first) => first.toLowerCase()).replace(/\.$/, '');
}

/** Text for roff: without escapes and control lines, and with hyphens that can be copied. @param {string} text */
function plain(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}
