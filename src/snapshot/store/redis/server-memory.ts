/** What a server says of its memory (`INFO memory`): whether a document fits, and whether it would stay. */
import type { RedisConnection } from './redis-connection.js';
import { ReplyError } from './redis-errors.js';

export interface ServerMemory {
  /** Undefined where the server does not say. */
  readonly freeBytes: number | undefined;
  readonly evictionPolicy: string | undefined;
}

/** Undefined where the server or the user's permissions do not have the command. */
export async function readServerMemory(
  connection: RedisConnection,
): Promise<ServerMemory | undefined> {
  try {
    return parseMemory(String(await connection.send(['INFO', 'memory'])));
  } catch (error) {
    if (error instanceof ReplyError && /^(?:ERR|NOPERM)$/.test(error.kind)) return undefined;
    throw error;
  }
}

/** One line for an operator, or undefined where all is well. */
export function evictionNote(policy: string | undefined): string | undefined {
  if (policy === undefined || policy === 'noeviction') return undefined;
  return `its maxmemory-policy is ${policy}: a snapshot may be removed when memory is short; set it to noeviction`;
}

function parseMemory(text: string): ServerMemory {
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:([^\\r\\n]{1,64})$`, 'm').exec(text)?.[1]?.trim();
  const bytes = (name: string): number => {
    const value = field(name);
    return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : NaN;
  };
  const used = bytes('used_memory');
  // 0: as much as the system has.
  const limits = [bytes('maxmemory'), bytes('total_system_memory')].filter((limit) => limit > 0);
  const freeBytes = Math.min(...limits) - used;
  return {
    freeBytes: Number.isFinite(freeBytes) ? freeBytes : undefined,
    evictionPolicy: field('maxmemory_policy'),
  };
}
