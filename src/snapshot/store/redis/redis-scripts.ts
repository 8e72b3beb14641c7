/**
 * The atomic steps, as scripts that the server runs; each answers 1 where it was done.
 *
 * They are sent as text each time: a new master knows no digests. All keys are named, as clusters and permissions need
 * it.
 */

import { NAMED_BYTES_MAX } from '../objects.js';
import type { RedisClient } from './redis-library.js';

/** Expiry of a killed publisher's unfinished object. */
const UNFINISHED_MS = 600_000;

/** Fails where earlier parts are missing, or this one exists. Keys: unfinished. Arguments: its length, bytes. */
export const APPEND = `if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('APPEND', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ${UNFINISHED_MS})
return 1`;

/** Keys: unfinished, index, document, removed. Arguments: id, entry, size. */
export const COMMIT = `if redis.call('HEXISTS', KEYS[4], ARGV[1]) == 1 then return 0 end
if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then return 1 end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 0 end
if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[3]) then return 0 end
redis.call('RENAME', KEYS[1], KEYS[3])
redis.call('PERSIST', KEYS[3])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1`;

/**
 * Replaces a name, and removes an object beside it, where the name holds what was read; or has been replaced already.
 *
 * Keys: the name, index, removed, each needed object, then the one to remove. Arguments: the old content or nothing,
 * the new content, channel, message, the time if the removed object is retired; then the field of each needed object. A
 * removed object has the message as its field.
 */
export const CHANGE = `local before = redis.call('GETRANGE', KEYS[1], 0, ${NAMED_BYTES_MAX})
if before ~= ARGV[1] and before ~= ARGV[2] then return 0 end
local needed = #ARGV - 5
for one = 1, needed do
  local isThere = redis.call('HEXISTS', KEYS[2], ARGV[5 + one]) * redis.call('EXISTS', KEYS[3 + one])
  if isThere == 0 then return 0 end
end
if KEYS[4 + needed] then
  if ARGV[5] ~= '' then redis.call('HSET', KEYS[3], ARGV[4], ARGV[5]) end
  redis.call('HDEL', KEYS[2], ARGV[4])
  redis.call('UNLINK', KEYS[4 + needed])
end
if before ~= ARGV[2] then
  redis.call('SET', KEYS[1], ARGV[2])
  redis.call('PUBLISH', ARGV[3], ARGV[4])
end
return 1`;

/** Runs a script. @returns whether it was done. */
export function evaluate(
  script: string,
  { keys, values }: { readonly keys: string[]; readonly values: (string | Buffer)[] },
) {
  return async (client: RedisClient): Promise<boolean> =>
    (await client.eval(script, { keys, arguments: values })) === 1;
}
