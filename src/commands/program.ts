/**
 * The command `bura`: names, flags and examples, from which help and manual page are made. The code of a command is
 * loaded when it runs: a container runs a health check every ten seconds.
 */
import { Command, Option } from 'commander';
import { DEFAULT_SCHEMA_VERSION, SCHEMA_VERSIONS } from '../snapshot/document/schema-version.js';
import { VERSION } from '../version.js';
import {
  add,
  addSettings,
  allowOption,
  detailsOf,
  exitCodes,
  parseKeep,
  parseTimeout,
  run,
} from './command.js';

const ENCODING = 'encoding of texts that are not UTF-8, such as windows-1252 or euc-kr';
const ORGANIZATION_NAME = 'name of the organization, if there is no organizations.csv';
const ORGANIZATION_SHORT_NAME = 'short name of the organization and its network';

export function createProgram(): Command {
  const program = new Command('bura')
    .description('Open-data service for hourly air-quality and weather measurements.')
    .version(VERSION)
    .exitOverride()
    // `main.ts` prints failures.
    .configureOutput({ writeErr: () => undefined });
  program.addHelpText('after', `\n${exitCodes(detailsOf(program))}`);
  addService(program);
  addBuild(program);
  addVerifyAndPublish(program);
  addStore(program);
  addTexts(program);
  for (const command of program.commands) addSettings(command);
  return program;
}

function addService(program: Command): void {
  add(program, 'serve', 'serve the active snapshot of the store', ['bura serve --port 8080'])
    .option(
      '--demo [dir]',
      "if the store is empty, publish the CSV files in DIR (default: the demonstration's)",
    )
    .action(run(async () => (await import('./service/serve.js')).serve));

  add(
    program,
    'health',
    'ask whether an instance is ready, for health checks',
    ['bura health', 'bura health --live --timeout 2', 'bura health --url https://data.example.org'],
    ['ready', 'not ready, or no answer in time'],
  )
    .option('--live', 'ask whether it runs, not whether data are served')
    .option('--url <url>', 'base URL of the instance; default: HOST and PORT on this machine')
    .option('--timeout <seconds>', 'time limit for the whole answer', parseTimeout, 5)
    .action(run(async () => (await import('./service/health-command.js')).health));

  add(
    program,
    'status',
    'show what the instance on this machine serves, and what has failed',
    ['bura status', 'bura status --json', 'bura status --local-dir /var/lib/bura/local'],
    ['shown', 'no instance runs with LOCAL_DIR and KEY_PREFIX, or it does not answer'],
  )
    .option('--json', 'print JSON')
    .action(run(async () => (await import('./service/status-command.js')).status));
}

function addBuild(program: Command): void {
  add(program, 'build', 'make a snapshot document from a folder of tables or exports', [
    'bura build --explain export',
    'bura build --from export',
    'bura build --from data/demo --out snapshot.json.gz',
  ])
    .option('--from <dir>', 'folder with bura.sql, or with stations.csv, measurements.csv...')
    .option(
      '--out <file>',
      'document to write, .json or .json.gz; default: snapshot.json.gz in that folder',
    )
    .option('--explain <dir>', 'describe the files of a folder, and begin bura.sql there')
    .option('--encoding <label>', ENCODING)
    .addOption(allowOption())
    .option('--organization-name <name>', ORGANIZATION_NAME)
    .option('--organization-short-name <name>', ORGANIZATION_SHORT_NAME)
    .option(
      '--generated-at <time>',
      'generation time, ISO 8601 in UTC; default: one hour after the newest row',
    )
    .option(
      '--snapshot-id <id>',
      'id of the snapshot; default: generation time and part of a content digest',
    )
    .addOption(
      new Option('--schema-version <version>', 'schema version of the document')
        .choices(SCHEMA_VERSIONS)
        .default(DEFAULT_SCHEMA_VERSION),
    )
    .option('--demonstration', 'say on all pages that the data are a demonstration, not current')
    .action(run(async () => (await import('./documents/build.js')).build));
}

function addVerifyAndPublish(program: Command): void {
  add(program, 'verify', 'check a snapshot document, or the archive', [
    'bura verify snapshot.json.gz',
    'bura verify 20260101T000000Z-0123456789ab',
    'bura verify --archive',
  ])
    .argument('[file-or-id]', 'path of a document, or id of a stored snapshot')
    .option('--archive', 'check every file of the archive against its digest')
    .addOption(allowOption())
    .action(run(async () => (await import('./documents/verify.js')).verify));

  add(program, 'publish', 'check a snapshot document, store it and make it active', [
    'bura publish snapshot.json.gz',
    'bura publish tomorrow.json --no-activate',
    'bura publish snapshot.json.gz --dry-run',
    'bura publish snapshot.json.gz --archive',
  ])
    .argument('<file>', 'snapshot document, .json or .json.gz')
    .option('--no-activate', 'store it without making it active')
    .option('--archive', 'then add it to the archive')
    .option('--dry-run', 'check and compare the document, and store nothing')
    .addOption(allowOption())
    .action(run(async () => (await import('./store/publish.js')).publish));
}

function addTexts(program: Command): void {
  add(
    program,
    'texts',
    "check a folder of the operator's own texts, or begin one",
    ['bura texts check texts', 'bura texts init texts', 'bura texts init texts --language es'],
    ['done, or no problems', 'problems: a line for each'],
  )
    .addArgument(program.createArgument('<action>', 'what to do').choices(['check', 'init']))
    .argument('<dir>', 'folder, as TEXTS_DIR names it')
    .option(
      '--language <tag>',
      'init: a further language (BCP 47), with the English texts to translate',
    )
    .action(run(async () => (await import('./service/texts-command.js')).texts));
}

function addStore(program: Command): void {
  add(program, 'activate', 'make a stored snapshot active, also an older one', [
    'bura activate 20260101T000000Z-0123456789ab',
  ])
    .argument('<id>', 'snapshot id, as bura list shows it')
    .action(run(async () => (await import('./store/publish.js')).activate));

  add(program, 'archive', 'add stored snapshots, or tables of past years, to the archive', [
    'bura archive 20260101T000000Z-0123456789ab',
    'bura archive --from years',
    'bura verify --archive',
  ])
    .argument('[id...]', 'snapshot ids, as bura list shows them; added oldest first')
    .option('--from <dir>', 'folder of tables or exports of past years, as for bura build --from')
    .option('--overwrite', 'with --from: replace rows of the archive that have other values')
    .option('--repair', 'leave out files of the archive that are damaged or missing')
    .addOption(allowOption())
    .option('--encoding <label>', ENCODING)
    .option('--organization-name <name>', ORGANIZATION_NAME)
    .option('--organization-short-name <name>', ORGANIZATION_SHORT_NAME)
    .action(run(async () => (await import('./store/archive-command.js')).archive));

  add(program, 'remove', 'remove a snapshot from store and history; its id is never used again', [
    'bura remove 20260101T000000Z-0123456789ab',
  ])
    .argument('<id>', 'snapshot id, as bura list shows it; not the active one')
    .action(run(async () => (await import('./store/remove.js')).remove));

  add(program, 'list', 'list stored snapshots, newest first', ['bura list', 'bura list --json'])
    .option('--json', 'print JSON')
    .action(run(async () => (await import('./store/list.js')).list));

  add(
    program,
    'prune',
    'remove old snapshots, orphans of killed publishers, and replaced archive files',
    ['bura prune --keep 7'],
  )
    .requiredOption(
      '--keep <n>',
      'number of newest snapshots to keep, besides the active one',
      parseKeep,
    )
    .action(run(async () => (await import('./store/prune.js')).prune));
}
