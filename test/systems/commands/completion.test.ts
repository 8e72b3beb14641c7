/** What shells complete: each script is loaded by its real shell, and keys are pressed in it. */
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t from 'tap';
import { SHELLS } from '../../../src/commands/output/completion.js';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { COMMAND, runBura } from '../../support/service/command.js';
import { inTime } from '../../support/service/service.js';

const execute = promisify(execFile);

const COMMANDS = [
  ...[
    'activate',
    'build',
    'completion',
    'health',
    'list',
    'prune',
    'publish',
    'remove',
    'serve',
    'status',
  ],
  ...['texts', 'verify'],
];

/** Lines as they are typed, each with the words that its last one may become. */
const CASES: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['bura act', ['activate']],
  ['bura p', ['prune', 'publish']],
  ['bura help v', ['verify']],
  ['bura build --out', ['--out']],
  ['bura health --t', ['--texts-dir', '--timeout', '--time-zone', '--trust-proxy']],
  ['bura build --schema-version ', ['1.2.0', '1.3.0']],
  ['bura list --log-level s', ['silent']],
  ['bura serve --default-language sr', ['sr-Latn', 'sr-Cyrl']],
  ['bura completion ', SHELLS],
  ['bura texts ', ['check', 'init']],
  ['bura build --from ta', ['tables']],
  ['bura publish doc', ['document.json']],
  ['bura activate ', ['first', 'second']],
  ['bura verify f', ['first']],
  ['bura activate --snapshot-store file:./other ', ['elsewhere']],
];

/** How each shell is started with the script loaded, and the keys that insert all that the last word may become. */
const TYPED = {
  bash: {
    words: ['bash', '--norc', '--noprofile', '-i'],
    setup: ['source completions/bura.bash'],
    keys: '\u001b*',
  },
  zsh: {
    words: ['zsh', '-f', '-i'],
    setup: [
      'fpath=($PWD/completions $fpath); autoload -U compinit; compinit -u -d dump',
      'zle -C all-matches complete-word _generic; bindkey "^X^A" all-matches',
      "zstyle ':completion:all-matches:*' insert yes",
      "zstyle ':completion:all-matches::::' completer _all_matches _complete",
    ],
    keys: '\u0018\u0001',
  },
} as const;

void t.test('bash, zsh and fish complete commands, flags, choices, files and ids', async (t) => {
  const folder = t.testdir({ tables: {}, 'document.json': '{}' });
  const env = await prepare(folder);
  for (const [line, expected] of CASES) {
    t.same(await fishWords(line, { folder, env }), expected.toSorted(), `fish: ${line}`);
  }
  for (const shell of ['bash', 'zsh'] as const) {
    const found = await typedWords(shell, { folder, env });
    CASES.forEach(([line, expected], index) => {
      t.same(found[index], expected.toSorted(), `${shell}: ${line}`);
    });
  }
  const commands = await fishWords('bura ', { folder, env });
  t.same(commands, [...COMMANDS, 'help'].toSorted());
});

void t.test('the script for bash has nothing that shellcheck would tell', async (t) => {
  const { stdout } = await runBura(['completion', 'bash']);
  const file = join(t.testdir({ bura: stdout }), 'bura');
  await t.resolves(execute('shellcheck', ['--shell=bash', file]));
  t.match(await runBura(['completion', 'tcsh']), { code: 2, stderr: /bash, zsh, fish/ });
});

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A folder with the command in it, the scripts, a store with two snapshots, and another one with one. */
async function prepare(folder: string): Promise<Readonly<Record<string, string>>> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const program = `#!/bin/sh\nunset NODE_OPTIONS\nexec '${process.execPath}' '${COMMAND}' "$@"\n`;
  await writeFile(join(bin, 'bura'), program);
  await chmod(join(bin, 'bura'), 0o755);
  await mkdir(join(folder, 'completions'));
  for (const [shell, name] of [
    ['bash', 'bura.bash'],
    ['zsh', '_bura'],
    ['fish', 'bura.fish'],
  ] as const) {
    const { stdout } = await runBura(['completion', shell]);
    await writeFile(join(folder, 'completions', name), stdout);
  }
  for (const [store, id] of [
    ['store', 'first'],
    ['store', 'second'],
    ['other', 'elsewhere'],
  ] as const) {
    const document = join(bin, `${id}.json`);
    await writeDocument(document, snapshotDocument({ snapshot_id: id }));
    const { code, stderr } = await runBura(['publish', document], {
      env: { SNAPSHOT_STORE: `file:${join(folder, store)}` },
    });
    if (code !== 0) throw new Error(stderr);
  }
  return {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    SNAPSHOT_STORE: `file:${join(folder, 'store')}`,
    HOME: folder,
    TERM: 'dumb',
  };
}

async function fishWords(line: string, { folder, env }: Place): Promise<readonly string[]> {
  const script = `source completions/bura.fish; complete -C '${line}'`;
  const { stdout } = await execute('fish', ['--no-config', '-c', script], { cwd: folder, env });
  const words = stdout.split('\n').map((one) => one.replace(/\t.*/, '').replace(/\/$/, ''));
  return words.filter((word) => word !== '').toSorted();
}

/** Types all lines into one shell on a terminal: for each, what its last word has become. */
async function typedWords(
  shell: keyof typeof TYPED,
  { folder, env }: Place,
): Promise<readonly (readonly string[])[]> {
  const { words, setup, keys } = TYPED[shell];
  const script = spawn('script', ['--quiet', '--command', words.join(' '), '/dev/null'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const all = text(script.stdout);
  // Back to the start of the line, and what stands there becomes the arguments of printf.
  const lines = CASES.map(([line]) => `${line}${keys}\u0001printf '<%s>\\n' `);
  script.stdin.end([...setup, ...lines, 'exit', ''].join('\n'));
  const output = await inTime(all, `${shell} to end`, 60_000);
  const printed = [...output.matchAll(/^<(.*)>\r*$/gm)].map(([, word = '']) => word);
  return CASES.map(([line]) => {
    const typed = line.split(' ').slice(0, -1);
    const start = printed.indexOf('bura');
    const end = printed.indexOf('bura', start + 1);
    const own = printed.splice(start, (end < 0 ? printed.length : end) - start);
    return own
      .slice(typed.length)
      .map((word) => word.replace(/[/=]$/, ''))
      .toSorted();
  });
}
