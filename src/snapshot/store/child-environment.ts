/** The environment of child processes: this process's own, without what gives access to the store. */

/** Settings with passwords in them. Whoever needs the store's address gets it in a message. */
const SECRET = /^(?:SNAPSHOT_STORE$|REDIS_)/;

export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET.test(name)));
}
