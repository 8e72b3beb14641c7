/** `bura status`: asks the instance of LOCAL_DIR for its state, through its socket. */
import { join, resolve } from 'node:path';
import { isInstanceStatus } from '../../supervisor/operators/status.js';
import { askInstance } from '../../supervisor/lock/ask-instance.js';
import type { Settings } from '../../settings.js';
import type { Flags } from '../command.js';
import { printLine, withoutControls } from '../output/terminal.js';

/** An instance answers within a second, even when its store hangs. */
const ANSWER_MS = 10_000;

/** @throws {Error} one line: no instance runs here, or it does not answer. */
export async function status(settings: Settings, { json }: Flags): Promise<void> {
  const directory = join(resolve(settings.localDir), settings.keyPrefix);
  const reply = await askInstance(directory, '/status', ANSWER_MS);
  switch (reply.kind) {
    case 'nobody':
      throw new Error(`no instance runs with the local copies in ${directory}`);
    case 'denied':
      throw new Error(
        `this user may not ask the instance of ${directory}: ask as its user, or root`,
      );
    case 'starting':
    case 'silent':
      throw new Error(
        `the instance of ${directory} does not answer: it is starting, hangs, or is an older build`,
      );
    case 'reply':
      break;
  }
  const body: unknown = JSON.parse(reply.body);
  if (!isInstanceStatus(body)) {
    throw new Error(`the instance of ${directory} is another build: use its own bura status`);
  }
  if (json === true) printLine(JSON.stringify(body, undefined, 2));
  else renderFields(body).forEach(printLine);
}

/** Each member as `name  value`, in the order of the answer: `serving.snapshot_id  ...`, `processes.0.pid  ...`. */
function renderFields(status: object): readonly string[] {
  const fields = fieldsOf('', status);
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => withoutControls(`${name.padEnd(width)}  ${value}`));
}

function fieldsOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (value === null) return [[name, '-']];
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object') return [[name, JSON.stringify(value)]];
  const members = Object.entries(value);
  if (members.length === 0) return [[name, 'none']];
  return members.flatMap(([key, member]) => fieldsOf(name === '' ? key : `${name}.${key}`, member));
}
