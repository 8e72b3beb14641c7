/** What each front is given at its start: of the settings, and of what the system allows. */
import type { Settings } from '../../settings.js';
import type { FrontSettings } from './control.js';
import { readSystem, systemLimits, type SystemLimits } from './system-limits.js';

/** What each front may take; `MAX_CONNECTIONS` can only lower what open files allow. */
export async function limitsOf(settings: Settings): Promise<SystemLimits> {
  const { frontProcesses: processes, workerThreads: threads, maxConnections } = settings;
  const limits = systemLimits(await readSystem(), { processes, threads });
  const connectionsMax = Math.min(limits.connectionsMax, maxConnections ?? Infinity);
  return { ...limits, connectionsMax };
}

export function frontSettings(settings: Settings, limits: SystemLimits): FrontSettings {
  const { publicBaseUrl, baseMap } = settings;
  return {
    host: settings.host,
    port: settings.port,
    keyPrefix: settings.keyPrefix,
    expectedSchemaVersion: settings.expectedSchemaVersion,
    defaultLanguage: settings.defaultLanguage,
    ...limits,
    listenersMax: Math.ceil(settings.eventListeners / settings.frontProcesses),
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
