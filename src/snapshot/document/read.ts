/** Reads a snapshot document as a stream into the model, checked: it holds all that `docs/snapshot-format.md, "Checks"` asks, or is refused with the reasons. */
import assert from 'node:assert/strict';
import type { Component, Counts, JsonValue, Snapshot, Station, Window } from '../domain/model.js';
import {
  checkCounts,
  checkLists,
  checkRepeatedRows,
  checkRowReferences,
  type Lists,
} from './check.js';
import type { OrderedRows } from './rows/columns.js';
import { List } from './lists.js';
import { isJsonObject, Members } from './members.js';
import { memberPath, Problems, unexpected } from './problems.js';
import { Rows } from './rows/rows.js';
import { hasNewMembers } from './schema-version.js';
import {
  isComplete,
  parseComponent,
  parseCounts,
  parseGeneratedAt,
  parseNetwork,
  parseOrganization,
  parseSnapshotId,
  parseStation,
  parseWindows,
  withParameterName,
  type StationDraft,
} from './document-schema.js';
import { array, built, elements, skipped, type Sink } from './json/sinks.js';
import { jsonTokens, tokenValue, type Token } from './json/tokens.js';
import { Budget } from './json/values.js';

export interface ReadOptions {
  /** Called with how many bytes of the source, as stored, have been read. */
  readonly onProgress?: (bytesRead: number) => void;
}

/**
 * The snapshot in a document (JSON, plain or gzip), its rows ordered by station, component and hour.
 *
 * Memory goes by the rows, 16 bytes each while reading and 12 in the answer, with times of publication and update
 * twice as much and more; what the lists may take is limited. `schema_version` decides what `NEW_MEMBERS` mean:
 * which one is accepted is the caller's decision. Failures of `source` come through.
 *
 * @throws {DocumentError} `document_invalid` with the first 20 problems by path.
 */
export async function readSnapshot(
  source: AsyncIterable<Uint8Array>,
  { onProgress }: ReadOptions = {},
): Promise<Snapshot> {
  const problems = new Problems();
  const document = new Document(problems);
  const refuse = (message: string, options?: ErrorOptions): never =>
    problems.fail(document.here(), message, options);
  const takeText = (text: string): number => document.takeText(text);
  for await (const tokens of jsonTokens(source, { refuse, takeText, onProgress })) {
    for (const token of tokens) document.take(token);
  }
  return document.finish();
}

/** Top-level members that are read whole. */
const HEADER = [
  'schema_version',
  'snapshot_id',
  'generated_at',
  'supported_windows',
  'counts',
  'demonstration',
] as const;
type HeaderMember = (typeof HEADER)[number];

const OPTIONAL: ReadonlySet<string> = new Set<HeaderMember>(['demonstration']);

const LISTS = ['organizations', 'networks', 'components', 'stations'] as const;

const MAX_TOP_LEVEL_MEMBERS = 1000;

interface HeaderDraft {
  schemaVersion?: string | undefined;
  snapshotId?: string | undefined;
  generatedAtMs?: number | undefined;
  supportedWindows?: readonly Window[] | undefined;
  counts?: Counts | undefined;
  demonstration?: true;
}

/** A document as far as its tokens have come. */
class Document {
  readonly #problems: Problems;
  readonly #budget: Budget;
  readonly #lists: Lists;
  readonly #rows: Rows;
  readonly #header: HeaderDraft = {};
  readonly #seen = new Set<string>();
  #started = false;
  /** Takes the tokens of the member that is being read. */
  #sink: Sink | undefined;

  constructor(problems: Problems) {
    this.#problems = problems;
    this.#budget = new Budget(problems);
    this.#rows = new Rows(problems);
    this.#lists = {
      organizations: new List('organizations', parseOrganization, problems),
      networks: new List('networks', parseNetwork, problems),
      components: new List('components', parseComponent, problems),
      stations: new List('stations', parseStation, problems),
    };
  }

  take(token: Token): void {
    if (this.#sink !== undefined) {
      if (this.#sink.take(token)) this.#sink = undefined;
    } else if (token.name === 'keyValue') {
      this.#sink = this.#member(token.value);
    } else if (!this.#started) {
      if (token.name !== 'startObject') {
        this.#problems.fail('document', unexpected('an object', tokenValue(token)));
      }
      this.#started = true;
    }
  }

  /** Takes what it can of the text that comes next, and answers how many characters that is. */
  takeText(text: string): number {
    return this.#sink?.takeText?.(text) ?? 0;
  }

  /** The path of what comes next. */
  here(): string {
    return this.#sink?.here() ?? 'document';
  }

  finish(): Snapshot {
    for (const name of [...HEADER, ...LISTS, 'measurements']) {
      if (!this.#seen.has(name) && !OPTIONAL.has(name)) this.#problems.add(name, 'missing');
    }
    if (hasNewMembers(this.#header.schemaVersion ?? '')) {
      this.#lists.components.refine((component, path) =>
        withParameterName(component, { path, problems: this.#problems }),
      );
    }
    checkLists(this.#lists, this.#problems);
    checkRowReferences(this.#rows.columns, this.#lists, this.#problems);
    const ordered = this.#rows.columns.ordered(this.#rows.times);
    checkRepeatedRows(this.#rows.columns, ordered, this.#problems);
    if (this.#header.counts !== undefined) {
      checkCounts(this.#header.counts, this.#lists, this.#rows.length, this.#problems);
    }
    this.#problems.throwIfAny();
    return this.#snapshot(ordered);
  }

  #member(name: string): Sink {
    const problems = this.#problems;
    if (this.#seen.has(name)) {
      problems.add(memberPath('', name), 'repeated member');
      return skipped(name, problems);
    }
    this.#seen.add(name);
    if (this.#seen.size > MAX_TOP_LEVEL_MEMBERS) {
      problems.fail('document', `more than ${MAX_TOP_LEVEL_MEMBERS} members`);
    }
    if (name === 'measurements') return array(name, problems, this.#rows);
    const build = { path: name, budget: this.#budget, problems };
    const header = HEADER.find((one) => one === name);
    if (header !== undefined) {
      return built(build, (value) => {
        this.#readHeader(header, value);
      });
    }
    const list = LISTS.find((one) => one === name);
    return list === undefined ? skipped(name, problems) : elements(build, this.#lists[list]);
  }

  #readHeader(name: HeaderMember, value: JsonValue): void {
    const problems = this.#problems;
    const members = new Members({ [name]: value }, { path: '', problems });
    switch (name) {
      case 'schema_version':
        this.#readSchemaVersion(members);
        break;
      case 'snapshot_id':
        this.#header.snapshotId = parseSnapshotId(members, problems);
        break;
      case 'generated_at':
        this.#header.generatedAtMs = parseGeneratedAt(members, problems);
        break;
      case 'supported_windows':
        this.#header.supportedWindows = parseWindows(members, problems);
        break;
      case 'counts':
        if (isJsonObject(value)) {
          this.#header.counts = parseCounts(new Members(value, { path: name, problems }));
        } else problems.add(name, unexpected('an object', value));
        break;
      case 'demonstration':
        if (members.optionalBoolean(name) === true) this.#header.demonstration = true;
        break;
    }
  }

  #readSchemaVersion(members: Members): void {
    const schemaVersion = members.text('schema_version');
    if (schemaVersion !== undefined) this.#rows.times.decide(hasNewMembers(schemaVersion));
    this.#header.schemaVersion = schemaVersion;
  }

  #snapshot({ observations }: OrderedRows): Snapshot {
    const { schemaVersion, snapshotId, generatedAtMs, supportedWindows, counts, demonstration } =
      this.#header;
    const header = { schemaVersion, snapshotId, generatedAtMs, supportedWindows, counts };
    const measured = componentsByStation(observations.series);
    const stations = this.#lists.stations
      .ordered()
      .map((draft) => this.#station(draft, measured.get(draft.id) ?? []));
    assert(isComplete(header), 'a header member is missing, and that was no problem');
    return {
      header: { ...header, ...(demonstration && { demonstration }) },
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

/** By station id, the ids of the components that it has rows for, ascending. */
function componentsByStation(
  series: Snapshot['observations']['series'],
): ReadonlyMap<number, readonly Component['id'][]> {
  const components = new Map<number, number[]>();
  for (const { stationId, componentId } of series) {
    const ids = components.get(stationId);
    if (ids === undefined) components.set(stationId, [componentId]);
    else ids.push(componentId);
  }
  return components;
}
