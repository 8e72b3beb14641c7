/** `bura health`: asks an instance whether it is ready, and says so in one line and an exit code. */
import { get as getPlain, type IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { parseMembers } from '../../snapshot/domain/json-members.js';
import type { Settings } from '../../settings.js';
import { askInstance } from '../../supervisor/lock/ask-instance.js';
import { text, UsageError, type Flags } from '../command.js';
import { onOneLine, printLine } from '../output/terminal.js';
import { messageOf } from '../../snapshot/domain/snapshot-error.js';

/** A longer answer is not from an instance. */
const ANSWER_BYTES = 64 * 1024;

/**
 * Asks whether the instance is ready; prints one line if it is.
 *
 * @throws {UsageError} where the address of the instance is not known.
 * @throws {Error} one line: why it is not ready.
 */
export async function health(settings: Settings, flags: Flags): Promise<void> {
  const isLive = flags['live'] === true;
  const { url: given } = text(flags, 'url');
  if (given === undefined && settings.portShared === 'on') {
    await askOwn(settings, { isLive, timeoutMs: Number(flags['timeout']) * 1000 });
    return;
  }
  const base = given ?? ownAddress(settings);
  const url = addressOf(base, isLive);
  const { status, body } = await ask(url, Number(flags['timeout']) * 1000);
  const members = membersOf(body);
  if (status !== 200) throw new Error(`not ready: ${url.href} answers ${status}${why(members)}`);
  const { snapshot_id: id, store } = members;
  const parts = [id, store === undefined ? undefined : `store ${store}`].filter(Boolean);
  printLine(onOneLine([isLive ? 'live' : 'ready', ...parts].join(', ')));
}

/** Asks the instance of LOCAL_DIR through its socket, because another instance may answer on a shared port. */
async function askOwn(
  { localDir, keyPrefix }: Settings,
  { isLive, timeoutMs }: { readonly isLive: boolean; readonly timeoutMs: number },
): Promise<void> {
  const directory = join(resolve(localDir), keyPrefix);
  const reply = await askInstance(directory, '/health', timeoutMs);
  if (isLive && reply.kind === 'starting') printLine('live');
  else if (reply.kind !== 'reply') throw new Error(`not ready: ${directory}: ${SAID[reply.kind]}`);
  else {
    const { snapshot_id: id } = membersOf(reply.body);
    printLine(onOneLine([isLive ? 'live' : 'ready', id].join(', ')));
  }
}

const SAID = {
  nobody: 'no instance runs with these local copies',
  denied: 'this user may not ask the instance',
  silent: 'no answer',
  starting: 'the instance has no snapshot to serve yet',
} as const;

function addressOf(base: string, isLive: boolean): URL {
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    throw new UsageError(`--url is ${JSON.stringify(base)}: expected an http:// or https:// URL`);
  }
  return new URL(`${base.replace(/\/+$/, '')}/health/${isLive ? 'live' : 'ready'}`);
}

/** The address of the instance: that of this machine for an instance that listens on all addresses. */
function ownAddress({ host, port }: Settings): string {
  if (port === 0) throw new UsageError('PORT is 0, so the port is not known: give --url');
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

async function ask(url: URL, timeoutMs: number) {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const get = url.protocol === 'https:' ? (await import('node:https')).get : getPlain;
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { signal, agent: false }, resolve).on('error', reject);
    });
    return { status: message.statusCode ?? 0, body: await bodyOf(message) };
  } catch (cause) {
    const reason = signal.aborted ? `no answer in ${timeoutMs / 1000} s` : reasonOf(cause);
    throw new Error(`not ready: ${url.href}: ${reason}`, { cause });
  }
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  let body = '';
  message.setEncoding('utf8');
  for await (const chunk of message as AsyncIterable<string>) {
    body += chunk;
    if (body.length > ANSWER_BYTES) break; // which ends the connection
  }
  return body;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED') return 'nobody listens there';
  return messageOf(error);
}

function membersOf(body: string): Readonly<Record<string, string>> {
  try {
    const members = Object.entries(parseMembers(body));
    return Object.fromEntries(
      members.filter((member): member is [string, string] => typeof member[1] === 'string'),
    );
  } catch {
    return {};
  }
}

function why(members: Readonly<Record<string, string>>): string {
  const { reason, reason_detail: explained, detail } = members;
  const words = explained ?? detail;
  return `${reason === undefined ? '' : ` (${reason})`}${words === undefined ? '' : `: ${words}`}`;
}
