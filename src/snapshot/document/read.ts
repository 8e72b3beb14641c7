/** Reads a snapshot document as a stream into the model, with all of `docs/snapshot-format.md, "Checks"`. */
import assert from 'node:assert/strict';
import type { Series, Snapshot, Station } from '../domain/model.js';
import {
  checkCounts,
  checkLists,
  checkRepeatedRows,
  checkRowMinutes,
  checkRowReferences,
  type Lists,
} from './check-document.js';
import {
  HEADER,
  isComplete,
  parseComponent,
  parseNetwork,
  parseOrganization,
  parseStation,
  withParameterName,
  type HeaderDraft,
  type StationDraft,
} from './document-schema.js';
import { ObjectReader, type Member } from './json/object-reader.js';
import { jsonTokens } from './json/tokens.js';
import { ElementList } from './lists.js';
import { ObjectMembers } from './members.js';
import { memberPath, Problems } from './problems.js';
import type { OrderedRows } from './rows/columns.js';
import { RowReader } from './rows/rows.js';
import { hasNewMembers } from './schema-version.js';

export interface ReadOptions {
  readonly onProgress?: (bytesRead: number) => void;
}

/**
 * The snapshot in a document (JSON, plain or gzip), its rows ordered by station, component and hour.
 *
 * Memory: 16 bytes a row while reading and 12 in the result, about twice as much with times of publication and update;
 * lists are limited. `schema_version` decides what `NEW_MEMBERS` mean; the caller decides which versions it accepts.
 * Errors of `source` pass unchanged.
 *
 * @throws {DocumentError} `document_invalid` with the first 20 problems by path.
 */
export async function readSnapshot(
  source: AsyncIterable<Uint8Array>,
  { onProgress }: ReadOptions = {},
): Promise<Snapshot> {
  const problems = new Problems();
  const document = new Document(problems);
  const reader = new ObjectReader((name) => document.member(name), problems);
  const refuse = (message: string, options?: ErrorOptions): never =>
    problems.fail(reader.here(), message, options);
  const takeText = (text: string): number => reader.takeText(text);
  for await (const tokens of jsonTokens(source, { refuse, takeText, onProgress })) {
    for (const token of tokens) reader.take(token);
  }
  return document.finish();
}

const OPTIONAL: ReadonlySet<string> = new Set(['demonstration', 'hour_minute']);

const LISTS = ['organizations', 'networks', 'components', 'stations'] as const;

const MAX_TOP_LEVEL_MEMBERS = 1000;

class Document {
  readonly #problems: Problems;
  readonly #lists: Lists;
  readonly #rows: RowReader;
  readonly #header: HeaderDraft = {};
  readonly #seen = new Set<string>();

  constructor(problems: Problems) {
    this.#problems = problems;
    this.#rows = new RowReader(problems);
    this.#lists = {
      organizations: new ElementList('organizations', parseOrganization, problems),
      networks: new ElementList('networks', parseNetwork, problems),
      components: new ElementList('components', parseComponent, problems),
      stations: new ElementList('stations', parseStation, problems),
    };
  }

  /** How to read the member that begins. */
  member(name: string): Member {
    if (this.#seen.has(name)) {
      this.#problems.add(memberPath('', name), 'repeated member');
      return { kind: 'ignored' };
    }
    this.#seen.add(name);
    if (this.#seen.size > MAX_TOP_LEVEL_MEMBERS) {
      this.#problems.fail('document', `more than ${MAX_TOP_LEVEL_MEMBERS} members`);
    }
    if (name === 'measurements') return { kind: 'rows', elements: this.#rows };
    const list = LISTS.find((one) => one === name);
    if (list !== undefined) return { kind: 'list', elements: this.#lists[list] };
    const parse = Object.hasOwn(HEADER, name) ? HEADER[name] : undefined;
    if (parse === undefined) return { kind: 'ignored' };
    return {
      kind: 'value',
      take: (value) => {
        const members = new ObjectMembers(
          { [name]: value },
          { path: '', problems: this.#problems },
        );
        const read = parse(members);
        Object.assign(this.#header, read);
        if (read.schemaVersion !== undefined) {
          this.#rows.times.decide(hasNewMembers(read.schemaVersion));
        }
      },
    };
  }

  finish(): Snapshot {
    for (const name of [...Object.keys(HEADER), ...LISTS, 'measurements']) {
      if (!this.#seen.has(name) && !OPTIONAL.has(name)) this.#problems.add(name, 'missing');
    }
    if (hasNewMembers(this.#header.schemaVersion ?? '')) {
      this.#lists.components.refine((component, path) =>
        withParameterName(component, { path, problems: this.#problems }),
      );
    }
    checkLists(this.#lists, this.#problems);
    checkRowReferences(this.#rows.columns, this.#lists);
    checkRowMinutes(this.#rows.columns, this.#header.hourMinute ?? 0, this.#problems);
    const ordered = this.#rows.columns.ordered(this.#rows.times);
    checkRepeatedRows(this.#rows.columns, ordered, this.#problems);
    if (this.#header.counts !== undefined) {
      checkCounts(this.#header.counts, this.#lists, this.#rows.length, this.#problems);
    }
    this.#problems.throwIfAny();
    return this.#snapshot(ordered);
  }

  #snapshot({ observations }: OrderedRows): Snapshot {
    const { schemaVersion, snapshotId, generatedAtMs, supportedWindows, counts } = this.#header;
    const { demonstration, hourMinute } = this.#header;
    const header = { schemaVersion, snapshotId, generatedAtMs, supportedWindows, counts };
    const measured = componentsByStation(observations.series);
    const stations = this.#lists.stations
      .ordered()
      .map((draft) => this.#station(draft, measured.get(draft.id) ?? []));
    assert(isComplete(header), 'a header member is missing, and that was no problem');
    return {
      header: {
        ...header,
        ...(demonstration && { demonstration }),
        ...(hourMinute && { hourMinute }),
      },
      organizations: this.#lists.organizations.ordered(),
      networks: this.#lists.networks.ordered(),
      components: this.#lists.components.ordered(),
      stations,
      observations,
    };
  }

  #station(draft: StationDraft, measured: readonly number[]): Station {
    const network = this.#lists.networks.byId(draft.networkId);
    assert(network !== undefined, 'references have been checked');
    return {
      ...draft,
      networkCode: network.code,
      componentIds: draft.componentIds ?? measured,
    };
  }
}

/** The ids of components with rows, ascending, by station id. */
function componentsByStation(series: readonly Series[]): ReadonlyMap<number, readonly number[]> {
  const components = new Map<number, number[]>();
  for (const { stationId, componentId } of series) {
    const ids = components.get(stationId);
    if (ids === undefined) components.set(stationId, [componentId]);
    else ids.push(componentId);
  }
  return components;
}
