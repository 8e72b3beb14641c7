/**
 * The steps that must be done all at once or not at all, as scripts that the server runs. Each answers 1 where it was done.
 *
 * They are sent as text each time: a server that takes over knows no script by its digest. All keys are named, as clusters
 * and permissions need it.
 */

/** Publishers of one id: whoever holds the guard may write. It lives for a minute after the last write of its holder. */
const GUARD_MS = 60_000;

const HOLDS = `local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
`;
const RENEW = `redis.call('SET', KEYS[1], ARGV[1], 'PX', ${GUARD_MS})
`;

/** Keys: guard. Arguments: holder. */
export const ACQUIRE = `${HOLDS}${RENEW}return 1`;

/** Keys: guard. Arguments: holder. */
export const RELEASE = `${HOLDS}redis.call('DEL', KEYS[1])
return 1`;

/** Keys: guard, part. Arguments: holder, bytes. */
export const WRITE_PART = `${HOLDS}${RENEW}redis.call('SET', KEYS[2], ARGV[2])
return 1`;

/** Done where all parts are there, with as many bytes as the document has. Keys: guard, index, parts. Arguments: holder, id, entry, size. */
export const COMMIT = `${HOLDS}local size = 0
for i = 3, #KEYS do size = size + redis.call('STRLEN', KEYS[i]) end
if size ~= tonumber(ARGV[4]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('DEL', KEYS[1])
return 1`;

/** Removes parts that no entry names. Keys: guard, index, parts. Arguments: holder, id, the entry that is there or nothing. */
export const DISCARD = `${HOLDS}if (redis.call('HGET', KEYS[2], ARGV[2]) or '') ~= ARGV[3] then return 0 end
for i = 3, #KEYS do redis.call('UNLINK', KEYS[i]) end
return 1`;

/** Keys: pointer, index, parts. Arguments: id, entry, size, pointer, channel. */
export const ACTIVATE = `if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return 0 end
local size = 0
for i = 3, #KEYS do size = size + redis.call('STRLEN', KEYS[i]) end
if size ~= tonumber(ARGV[3]) then return 0 end
redis.call('SET', KEYS[1], ARGV[4])
redis.call('PUBLISH', ARGV[5], ARGV[1])
return 1`;

/** Keys: pointer, index, parts. Arguments: id, entry, the pointer that is there or nothing. */
export const REMOVE = `if (redis.call('GET', KEYS[1]) or '') ~= ARGV[3] then return 0 end
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[2], ARGV[1])
for i = 3, #KEYS do redis.call('UNLINK', KEYS[i]) end
return 1`;
