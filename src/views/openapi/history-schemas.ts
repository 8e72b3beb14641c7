/** Schemas of what has changed between snapshots. */
import { CHANGE_KINDS } from '../history/changes.js';
import {
  choice,
  closed,
  COUNT,
  DATE_TIME,
  described,
  FLAG,
  listOf,
  NUMBER,
  orNull,
  reference,
  TEXT,
} from './json-schema.js';

const ID = { ...TEXT, pattern: '^[A-Za-z0-9._-]{1,128}$' };

export const HISTORY_SCHEMAS = {
  Snapshots: listOf(
    closed({
      snapshot_id: described('For `since`.', ID),
      generated_at_utc: described('When it was made.', DATE_TIME),
      activated_at_utc: described('When it was made the active one last.', DATE_TIME),
      measurement_rows: described("The document's own count.", COUNT),
      active: described('Whether it is served now.', FLAG),
    }),
  ),
  ChangesMeta: described(
    'The first line.',
    closed({
      meta: closed({
        since: described('As it was asked for.', ID),
        snapshot_id: described('What is served now.', ID),
        generated_at_utc: described('When that was made.', DATE_TIME),
        retention_from_utc: described('Earlier rows of `since` are too old now.', DATE_TIME),
        added: described('Lines with this `op`, like the next two.', COUNT),
        changed: COUNT,
        withdrawn: COUNT,
      }),
    }),
  ),
  Change: described(
    'One row that is not the same in both snapshots.',
    closed({
      op: choice(CHANGE_KINDS),
      station_id: TEXT,
      parameter_code: TEXT,
      time_start_utc: DATE_TIME,
      value: described('Now; null too where `op` is `withdrawn`.', orNull(NUMBER)),
      previous_value: described('Before; null too where `op` is `added`.', orNull(NUMBER)),
    }),
  ),
  ChangeLines: {
    type: 'string',
    description:
      'Lines of JSON, each ended by a line feed, the last one too: first a `ChangesMeta`, then one `Change` a line.',
    contentMediaType: 'application/x-ndjson',
    contentSchema: { anyOf: [reference('ChangesMeta'), reference('Change')] },
  },
} as const;
