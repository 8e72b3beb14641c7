/** Writes the events of following the pointer as log lines, one each; a repeated failure is logged only at `debug`. */
import type { FollowEvent } from '../snapshot/follow/follow-event.js';
import type { Log } from '../log/log.js';

export function logEvent(log: Log, event: FollowEvent): void {
  switch (event.kind) {
    case 'importing':
      log.info({ snapshot_id: event.snapshotId, size_bytes: event.sizeBytes }, 'importing');
      break;
    case 'activated':
      log.info(
        {
          snapshot_id: event.snapshotId,
          import_ms: rounded(event.importMs),
          publish_to_visible_ms: rounded(event.publishToVisibleMs),
        },
        'activated',
      );
      break;
    case 'superseded':
      log.info(
        { snapshot_id: event.snapshotId, finishes: event.finishes },
        'import overtaken by a newer pointer',
      );
      break;
    case 'failed':
      logFailure(log, event);
      break;
    case 'pointer_older':
      log.warn(
        { snapshot_id: event.snapshotId, older_by_ms: event.olderByMs },
        'pointer older than the last',
      );
      break;
    case 'unavailable': {
      const level = event.reason === 'starting' ? 'info' : 'warn';
      log[level]({ reason: event.reason, detail: event.detail }, 'unavailable');
      break;
    }
    case 'store':
      if (event.reachable) log.info({ detail: event.detail }, 'store reachable');
      else log.warn({ detail: event.detail }, 'store unreachable');
      break;
    case 'foreign_entries': {
      const names = event.names.join(', ');
      log.warn({ directory: event.directory, names }, 'left alone what this service has not made');
      break;
    }
    case 'store_status_not_written':
      log.warn({ reason: event.message }, 'store status cannot be written down');
      break;
  }
}

function logFailure(log: Log, event: Extract<FollowEvent, { kind: 'failed' }>): void {
  const { code, message, snapshotId, repeated } = event;
  const values = { code, snapshot_id: snapshotId, reason: message };
  log[repeated ? 'debug' : 'warn'](values, titleOf(code));
}

function titleOf(code: Extract<FollowEvent, { kind: 'failed' }>['code']): string {
  if (code === 'pointer_malformed') return 'pointer malformed';
  if (code === 'copy_unreadable') return 'local copy cannot be read';
  return code === 'copy_damaged' ? 'local copy damaged' : 'import failed';
}

function rounded(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.round(milliseconds);
}
