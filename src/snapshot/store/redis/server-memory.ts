/** The server's memory (`INFO memory`): whether a document fits, and would stay. */
import { isReply, type RedisClient } from './redis-library.js';

export interface ServerMemory {
  /** Undefined where unknown. */
  readonly freeBytes: number | undefined;
  /** A line for operators; undefined when all is well. */
  readonly note: string | undefined;
}

/** Both undefined where the server lacks the command or the user may not send it. */
export async function readServerMemory(client: RedisClient): Promise<ServerMemory> {
  let text = '';
  try {
    text = await client.info('memory');
  } catch (error) {
    if (!isReply(error) || !/^(?:ERR|NOPERM)\b/.test(error.message)) throw error;
  }
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:([^\\r\\n]{1,64})$`, 'm').exec(text)?.[1]?.trim();
  const bytes = (name: string): number => Number(/^\d{1,15}$/.exec(field(name) ?? '')?.[0]);
  // 0: no limit but the system's.
  const limits = [bytes('maxmemory'), bytes('total_system_memory')].filter((limit) => limit > 0);
  const freeBytes = Math.min(...limits) - bytes('used_memory');
  const policy = field('maxmemory_policy') ?? 'noeviction';
  const removal = 'a snapshot may be removed when memory is short; set it to noeviction';
  return {
    freeBytes: Number.isFinite(freeBytes) ? freeBytes : undefined,
    note: policy === 'noeviction' ? undefined : `its maxmemory-policy is ${policy}: ${removal}`,
  };
}
