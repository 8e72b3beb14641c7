/**
 * The steps that must be done all at once or not at all, as scripts that the server runs. Each answers 1 where it was done.
 *
 * They are sent as text each time: a server that takes over knows no script by its digest. All keys are named, as clusters
 * and permissions need it.
 */

import { MAX_POINTER_BYTES } from '../pointer.js';
import type { RedisClient } from './redis-library.js';

/** What a publisher that was killed leaves behind goes by itself. */
const UNFINISHED_MS = 600_000;

/** Not done where what came before is gone, or is there already. Keys: unfinished. Arguments: its length, bytes. */
export const APPEND = `if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('APPEND', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ${UNFINISHED_MS})
return 1`;

/** The pointer as it is read: longer ones are malformed. */
const POINTER = `redis.call('GETRANGE', KEYS[1], 0, ${MAX_POINTER_BYTES})`;

/** Keys: unfinished, index, document, removed. Arguments: id, entry, size. */
export const COMMIT = `if redis.call('HEXISTS', KEYS[4], ARGV[1]) == 1 then return 0 end
if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then return 1 end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 0 end
if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[3]) then return 0 end
redis.call('RENAME', KEYS[1], KEYS[3])
redis.call('PERSIST', KEYS[3])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1`;

/** Keys: pointer, index, document. Arguments: id, entry, size, the pointer that is there or nothing, pointer, channel. */
export const ACTIVATE = `local before = ${POINTER}
if before == ARGV[5] then return 1 end
if before ~= ARGV[4] then return 0 end
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return 0 end
if redis.call('STRLEN', KEYS[3]) ~= tonumber(ARGV[3]) then return 0 end
redis.call('SET', KEYS[1], ARGV[5])
redis.call('PUBLISH', ARGV[6], ARGV[1])
return 1`;

/**
 * Keys: pointer, index, document, removed. Arguments: id, the pointer that is there or nothing, the pointer that is to be
 * there, time, channel.
 */
export const REMOVE = `local before = ${POINTER}
if before ~= ARGV[2] and before ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[4], ARGV[1], ARGV[4])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('UNLINK', KEYS[3])
if before ~= ARGV[3] then
  redis.call('SET', KEYS[1], ARGV[3])
  redis.call('PUBLISH', ARGV[5], ARGV[1])
end
return 1`;

/** Work that runs a script, and answers whether it was done. */
export function evaluate(
  script: string,
  { keys, values }: { readonly keys: string[]; readonly values: (string | Buffer)[] },
) {
  return async (client: RedisClient): Promise<boolean> =>
    (await client.eval(script, { keys, arguments: values })) === 1;
}
