/** What takes the tokens of one top-level member: skipped, built as one value, or built element by element. */
import type { JsonValue } from '../../domain/model.js';
import { unexpected, type Problems } from '../problems.js';
import { MAX_SKIPPED_DEPTH, tokenValue, type Token } from './tokens.js';
import { ValueBuilder, type Budget } from './values.js';

/** Takes tokens; true with the one that completes the member's value. */
export interface Sink {
  take(token: Token): boolean;
  /** Takes what it can of the text that comes next (see `TokenOptions`); where there is no such method, nothing. */
  takeText?(text: string): number;
  /** The path of what it is about to take. */
  here(): string;
}

interface BuildOptions {
  readonly path: string;
  readonly budget: Budget;
  readonly problems: Problems;
}

/** Reads over a value of any size in no memory. */
export function skipped(path: string, problems: Problems): Sink {
  let depth = 0;
  return {
    take(token) {
      if (token.name === 'startObject' || token.name === 'startArray') depth += 1;
      else if (token.name === 'endObject' || token.name === 'endArray') depth -= 1;
      if (depth > MAX_SKIPPED_DEPTH) {
        problems.fail(path, `nested deeper than ${MAX_SKIPPED_DEPTH}`);
      }
      return depth === 0;
    },
    here: () => path,
  };
}

/** Builds the whole value. */
export function built(options: BuildOptions, onValue: (value: JsonValue) => void): Sink {
  const builder = new ValueBuilder(options.path, options);
  return {
    take(token) {
      const value = builder.take(token);
      if (value === undefined) return false;
      onValue(value);
      return true;
    },
    here: () => builder.here(),
  };
}

/** What takes the elements of an array as they are built. */
interface Elements {
  add(value: JsonValue, index: number): void;
  end(length: number): void;
}

/** Builds the elements of an array, one after the other. */
export function elements({ path, budget, problems }: BuildOptions, to: Elements): Sink {
  let index = 0;
  let element: Sink | undefined;
  const next = (): Sink =>
    built({ path: `${path}[${index}]`, budget, problems }, (value) => {
      to.add(value, index);
    });
  return array(path, problems, {
    take(token) {
      if (element === undefined && token.name === 'endArray') {
        to.end(index);
        return true;
      }
      element ??= next();
      if (element.take(token)) {
        index += 1;
        element = undefined;
      }
      return false;
    },
    here: () => element?.here() ?? `${path}[${index}]`,
  });
}

/** Hands the tokens after `[` to `inside`, up to and with its `]`; any other value is a problem. */
export function array(path: string, problems: Problems, inside: Sink): Sink {
  let sink: Sink | undefined;
  return {
    take(token) {
      if (sink !== undefined) return sink.take(token);
      if (token.name === 'startArray') {
        sink = inside;
        return false;
      }
      problems.add(path, unexpected('an array', tokenValue(token)));
      sink = skipped(path, problems);
      return sink.take(token);
    },
    takeText: (text) => sink?.takeText?.(text) ?? 0,
    here: () => sink?.here() ?? path,
  };
}
