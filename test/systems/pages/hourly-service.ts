/** A service for tests of pages, whose snapshots of thirty days have an hour more each. */
import t from 'tap';
import { MONTH_END_MS, monthDocument } from '../../support/documents/month-document.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import type { Service } from '../../support/service/service.js';
import { lazily } from '../support/browser.js';

const HOUR_MS = 3_600_000;
const env = { POINTER_POLL_SECONDS: '0.05', TIME_ZONE: 'Europe/Belgrade' };

export const service = lazily(() => startServing(t, monthDocument('hour-0'), { env }));
export const HOME = { service, path: '/?language=en&component_id=1' };
let published = 0;

/** Hours since the epoch. */
export function endHour(): number {
  return MONTH_END_MS / HOUR_MS + published;
}

/** Publishes an hour more. @returns the id of the snapshot. */
export async function publishMore(to: Service): Promise<string> {
  published += 1;
  const id = `hour-${published}`;
  await publishAndServe(to, monthDocument(id, endHour() * HOUR_MS));
  return id;
}
