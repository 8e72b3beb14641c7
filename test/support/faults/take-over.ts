/** Take-overs, and instances that are ended or stopped in the midst of one. */
import { resolve } from 'node:path';
import type { Test } from 'tap';
import { get } from '../service/requests.js';
import {
  inTime,
  refusedService,
  startService,
  type Ended,
  type Service,
  type ServiceOptions,
} from '../service/service.js';

const TAKE_OVER = '--take-over';

const FAULT = resolve('build/test/support/service/fault-before-end.js');

/** Longer than a drain takes until the last connection is closed. */
const DRAIN_MS = 60_000;

const besides = ({ root, port }: Service, options: ServiceOptions): ServiceOptions => ({
  ...options,
  args: [TAKE_OVER, ...(options.args ?? [])],
  root,
  env: { PORT: `${port}`, ...options.env },
});

/** Starts another instance with the directories of this one, and waits until it has taken over. */
export async function takeOver(
  t: Test,
  running: Service,
  options: ServiceOptions = {},
): Promise<Service> {
  return await startService(t, besides(running, options));
}

/** The same of one that ends before it has taken over; resolves with its end. */
export async function failedTakeOver(
  t: Test,
  running: Service,
  options: ServiceOptions = {},
): ReturnType<typeof refusedService> {
  return await refusedService(t, besides(running, options));
}

export async function hasEnded(service: Service): Promise<Ended> {
  return await inTime(service.ended, 'the end of the earlier one', DRAIN_MS);
}

/** The id of the snapshot that is served. */
export async function servedId(service: { readonly port: number }): Promise<unknown> {
  return (await get(service, '/meta')).headers['x-snapshot-id'];
}

/** Options of an instance that takes over: from when it ends the other one on, it cannot list folders for so long. */
export function faultyReads(milliseconds: number) {
  return {
    nodeArguments: ['--import', FAULT],
    env: { FAULT_READS_MS: String(milliseconds) },
    expect: ['folder cannot be taken over yet'],
  };
}

/**
 * Options of an instance that takes over: right before it ends the other one, this signal is sent to it, or to the other one.
 */
export function faultBeforeEnd(whom: 'self' | 'other', signal: NodeJS.Signals) {
  return {
    nodeArguments: ['--import', FAULT],
    env: { FAULT_WHOM: whom, FAULT_SIGNAL: signal },
  };
}
