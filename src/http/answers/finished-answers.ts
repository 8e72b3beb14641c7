/** The answers that an import has finished, by name, in the form that a client wants. */
import type { Coding } from '../../snapshot/local/environment.js';
import type { SnapshotReader } from '../../snapshot/local/reader.js';
import type { Answer } from '../semantics/answer.js';
import { isLinked, JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { DIRECT_BYTES_MAX } from '../wire/send.js';
import { headerBlock, type HeaderBlock, type HeaderField } from '../semantics/header-block.js';
import { HotAnswers, type HotAnswer } from './hot-answers.js';

/** Per coding and front process. */
const HOT_BYTES = 16 * 1024 * 1024;

const CODINGS = ['gzip', 'identity'] as const satisfies readonly Coding[];
const IDENTITY_ONLY = ['identity'] as const satisfies readonly Coding[];

/** The memories of one front, which one snapshot after the other fills. */
export type HotMemories = Readonly<Record<Coding, HotAnswers>>;

export function createHotMemories(): HotMemories {
  return { identity: new HotAnswers(HOT_BYTES), gzip: new HotAnswers(HOT_BYTES) };
}

export interface FinishedAnswersOptions {
  readonly reader: SnapshotReader;
  /** Cleared here: what they hold is another snapshot's. */
  readonly hot: HotMemories;
  /** Of every answer from the snapshot. */
  readonly fields: readonly HeaderField[];
}

export class FinishedAnswers {
  readonly #reader: SnapshotReader;
  readonly #hot: HotMemories;
  /** Without and with links. */
  readonly #plain: Readonly<Record<Coding, HeaderBlock>>;
  readonly #linked: Readonly<Record<Coding, HeaderBlock>>;
  readonly #large = new Map<string, Uint8Array>();

  constructor({ reader, hot, fields }: FinishedAnswersOptions) {
    hot.identity.clear();
    hot.gzip.clear();
    this.#reader = reader;
    this.#hot = hot;
    this.#plain = headerBlocks(fields);
    this.#linked = headerBlocks([...fields, LINK]);
  }

  /** An answer that was asked for in the same words before; undefined: it must be looked up. */
  recall(target: string, gzip: boolean): Answer | undefined {
    const hot = this.#hot[gzip ? 'gzip' : 'identity'].get(target);
    return hot && this.#answer(target, hot);
  }

  /**
   * A finished answer by its name in the local copy, remembered under the words that asked for it.
   *
   * Its body may be a view of the map: to be sent, or copied, before the next read.
   */
  read(name: string, target: string, gzip: boolean): Answer | undefined {
    // Small answers have no compressed form.
    for (const coding of gzip ? CODINGS : IDENTITY_ONLY) {
      const body = this.#reader.answer(name, coding);
      if (body === undefined) continue;
      if (body.byteLength > DIRECT_BYTES_MAX) {
        const shared = this.#shared(`${coding}/${name}`, body);
        return this.#answer(target, { coding, body: shared });
      }
      this.#hot[gzip ? 'gzip' : 'identity'].remember(target, { coding, body });
      return this.#answer(target, { coding, body });
    }
    return undefined;
  }

  /** Large answers are lists, few of them: one copy each, for all clients that are still reading. */
  #shared(key: string, view: Uint8Array): Uint8Array {
    const known = this.#large.get(key);
    if (known !== undefined) return known;
    const body = Uint8Array.from(view);
    this.#large.set(key, body);
    return body;
  }

  #answer(target: string, { coding, body }: HotAnswer): Answer {
    const blocks = isLinked(target) ? this.#linked : this.#plain;
    return { status: 200, headers: blocks[coding], body };
  }
}

function headerBlocks(fields: readonly HeaderField[]): Readonly<Record<Coding, HeaderBlock>> {
  return {
    identity: headerBlock([JSON_TYPE, ...fields]),
    gzip: headerBlock([JSON_TYPE, ['Content-Encoding', 'gzip'], ...fields]),
  };
}
