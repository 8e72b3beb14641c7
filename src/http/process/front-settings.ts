/** What each front is given at its start: of the settings, and of what the system allows. */
import type { Settings } from '../../settings.js';
import type { FrontSettings } from './control.js';
import { readSystem, systemLimits, type SystemLimits } from './system-limits.js';

/** Of its connections, what listeners may have: they stay for as long as they like, and others ask beside them. */
const LISTENERS_SHARE = 3 / 4;

export type FrontLimits = SystemLimits & Pick<FrontSettings, 'listenersMax'>;

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

export function frontSettings(settings: Settings, limits: FrontLimits): FrontSettings {
  const { publicBaseUrl, baseMap } = settings;
  return {
    host: settings.host,
    port: settings.port,
    keyPrefix: settings.keyPrefix,
    expectedSchemaVersion: settings.expectedSchemaVersion,
    defaultLanguage: settings.defaultLanguage,
    ...limits,
    workerThreads: settings.workerThreads,
    ...(publicBaseUrl === undefined ? {} : { publicBaseUrl }),
    trustProxy: settings.trustProxy,
    timeZone: settings.timeZone,
    ...(baseMap === undefined ? {} : { baseMap }),
    logLevel: settings.logLevel,
    accessLog: settings.accessLog,
    accessLogAddress: settings.accessLogAddress,
    retiredCopies: settings.retiredCopies,
  };
}
