/** Every schema of the OpenAPI document by its name. */
import { UNAVAILABLE_REASONS } from '../../snapshot/domain/serving-state.js';
import { HISTORY_SCHEMAS } from './history-schemas.js';
import { HVD_SCHEMAS } from './hvd-schemas.js';
import { LEGACY_SCHEMAS } from './legacy-schemas.js';
import {
  choice,
  closed,
  constant,
  described,
  INTEGER,
  listOf,
  open,
  TEXT,
  type Schema,
} from './json-schema.js';

/** While data are served, the store may be out of reach. */
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
