/** Every schema of the OpenAPI document, by name. */
import { UNAVAILABLE_REASONS } from '../../snapshot/domain/active-state.js';
import { CHANGE_KINDS } from '../history/change-records.js';
import { HVD_SCHEMAS } from './hvd-schemas.js';
import { LEGACY_SCHEMAS } from './legacy-schemas.js';
import {
  choice,
  closed,
  constant,
  COUNT,
  DATE_TIME,
  described,
  FLAG,
  INTEGER,
  jsonLines,
  listOf,
  NUMBER,
  open,
  orNull,
  TEXT,
  type Schema,
} from './json-schema.js';

const ID = { ...TEXT, pattern: '^[A-Za-z0-9._-]{1,128}$' };

const HISTORY_SCHEMAS = {
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
  ChangeLines: jsonLines('ChangesMeta', 'Change'),
} as const;

/** State of the store, which may be unreachable while data are served. */
const STORE = {
  store: described('What the store is like just now.', choice(['ok', 'unreachable'])),
  store_detail: described('That it cannot be reached; the log says why.', TEXT),
};

const SERVICE_SCHEMAS = {
  Live: closed({ status: constant('ok'), check: constant('live') }),
  Ready: closed(
    { status: constant('ok'), check: constant('ready'), snapshot_id: TEXT },
    {
      bulk_status: described('With `deep=1` only.', constant('ok')),
      ...STORE,
    },
  ),
  NotReady: closed(
    { status: constant('error'), check: constant('ready'), detail: TEXT },
    {
      reason: choice(UNAVAILABLE_REASONS),
      reason_detail: TEXT,
      snapshot_id: TEXT,
      bulk_status: described('With `deep=1` only.', constant('error')),
      ...STORE,
    },
  ),
  OpenApi: described(
    'This document.',
    open({
      openapi: { ...TEXT, pattern: '^3\\.1\\.' },
      info: { type: 'object' },
      paths: { type: 'object' },
    }),
  ),
  Error: closed({ detail: described('What is wrong, in English.', TEXT) }),
  ValidationError: closed({
    detail: {
      ...listOf(
        closed(
          {
            loc: described('`path` or `query`, and the name of the parameter.', {
              ...listOf({ anyOf: [TEXT, INTEGER] }),
              minItems: 1,
            }),
            msg: described('What is wrong, in English.', TEXT),
            type: described('The kind of problem: `int_parsing`, `bool_parsing`, `enum`...', TEXT),
          },
          {
            input: described('What was given.', TEXT),
            ctx: described('What would have been right.', { type: 'object' }),
          },
        ),
      ),
      minItems: 1,
    },
  }),
} as const;

const ALL = { ...LEGACY_SCHEMAS, ...HVD_SCHEMAS, ...HISTORY_SCHEMAS, ...SERVICE_SCHEMAS };

export type SchemaName = keyof typeof ALL;

export const SCHEMAS: Readonly<Record<SchemaName, Schema>> = ALL;
