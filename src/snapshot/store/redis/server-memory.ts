/** Memory of a Redis server (`INFO memory`): whether a document fits, and whether the server may evict it. */
import { isReply, type RedisClient } from './redis-library.js';

/**
 * The free memory, and a warning for operators if the server may evict snapshots.
 *
 * Both are undefined if the server lacks the command or the user has no permission for it.
 */
export async function readServerMemory(client: RedisClient) {
  let text = '';
  try {
    text = await client.info('memory');
  } catch (error) {
    if (!isReply(error) || !/^(?:ERR|NOPERM)\b/.test(error.message)) throw error;
  }
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:([^\\r\\n]{1,64})$`, 'm').exec(text)?.[1]?.trim();
  const bytes = (name: string): number => Number(/^\d{1,15}$/.exec(field(name) ?? '')?.[0]);
  // A limit of 0 means that there is no limit.
  const limits = [bytes('maxmemory'), bytes('total_system_memory')].filter((limit) => limit > 0);
  const freeBytes = Math.min(...limits) - bytes('used_memory');
  const policy = field('maxmemory_policy') ?? 'noeviction';
  const removal = 'a snapshot may be removed when memory is short; set it to noeviction';
  return {
    freeBytes: Number.isFinite(freeBytes) ? freeBytes : undefined,
    note: policy === 'noeviction' ? undefined : `its maxmemory-policy is ${policy}: ${removal}`,
  };
}
