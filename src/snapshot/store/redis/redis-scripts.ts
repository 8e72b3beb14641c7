/**
 * The atomic steps of a Redis store, as scripts that the server runs. A script returns 1 if its step was done. Scripts
 * are sent as text each time, since a new master does not know their digests. All keys are in `KEYS`, as clusters and
 * permissions require.
 */

import { NAMED_BYTES_MAX } from '../objects.js';
import type { RedisClient } from './redis-library.js';

/** Time after which a killed publisher's unfinished object expires. */
const UNFINISHED_MS = 600_000;

/** Appends a chunk to an unfinished object that has the given length. Keys: unfinished. Arguments: length, bytes. */
export const APPEND = `if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('APPEND', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ${UNFINISHED_MS})
return 1`;

/** Gives an unfinished object its name. Keys: unfinished, index, object, removed. Arguments: field, entry, size. */
export const COMMIT = `if redis.call('HEXISTS', KEYS[4], ARGV[1]) == 1 then return 0 end
if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then return 1 end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 0 end
if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[3]) then return 0 end
redis.call('RENAME', KEYS[1], KEYS[3])
redis.call('PERSIST', KEYS[3])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1`;

/**
 * Replaces the content of a name, and may remove an object, if the content is the old or already the new one, and all
 * needed objects exist.
 *
 * Keys: the name, index, removed, each needed object, then the object to remove. Arguments: the old content (or empty),
 * the new content, channel, message, the time if the name of the removed object is retired (or empty); then the index
 * field of each needed object. The message is also the index field of the removed object.
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

/** An operation that runs a script, and returns whether the step was done. */
export function evaluate(
  script: string,
  { keys, values }: { readonly keys: string[]; readonly values: (string | Buffer)[] },
) {
  return async (client: RedisClient): Promise<boolean> =>
    (await client.eval(script, { keys, arguments: values })) === 1;
}
