/** What each front is given at its start: of the settings, and of what the system allows. */
import type { Settings } from '../settings.js';
import { readSystem, systemLimits, type SystemLimits } from './system-limits.js';

/** All that a front needs to know before it listens. Its port is never 0: one that the library picks cannot be shared. */
export type FrontSettings = Omit<
  Settings,
  'snapshotStore' | 'redisCaFile' | 'redisSentinelPassword'
> &
  FrontLimits;

/** What one front may take. */
export interface FrontLimits extends SystemLimits {
  /** Clients that listen to events at a time. */
  readonly listenersMax: number;
}

/** Of its connections, what listeners may have: they stay for as long as they like, and others ask beside them. */
const LISTENERS_SHARE = 3 / 4;

/** What each front may take; `MAX_CONNECTIONS` and `EVENT_LISTENERS` can only lower what open files allow. */
export async function limitsOf(settings: Settings): Promise<FrontLimits> {
  const { frontProcesses: processes, workerThreads: threads, maxConnections } = settings;
  const limits = systemLimits(await readSystem(), { processes, threads });
  const connectionsMax = Math.min(limits.connectionsMax, maxConnections ?? Infinity);
  const listenersMax = Math.min(
    Math.ceil(settings.eventListeners / processes),
    Math.ceil(connectionsMax * LISTENERS_SHARE),
  );
  return { ...limits, connectionsMax, listenersMax };
}

/** The settings without what gives access to the store. */
export function frontSettings(
  { snapshotStore, redisCaFile, redisSentinelPassword, ...settings }: Settings,
  limits: FrontLimits,
): FrontSettings {
  return { ...settings, ...limits };
}
