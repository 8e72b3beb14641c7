/** A client of another address that asks small things all the time, each on a connection of its own, and notes how it fares. */
import { get } from '../service/requests.js';

interface Fared {
  readonly answers: number;
  /** What went wrong, or was answered with another status than 200. */
  readonly failures: readonly string[];
}

export interface Bystander {
  /** Resolves after this many more answers. */
  sees(answers: number): Promise<void>;
  /** Stops asking. */
  end(): Promise<Fared>;
}

const TARGETS = ['/health/live', '/meta', '/1/stations', '/api/v1/metadata'];

/** Begins to ask for each target in turn; `options.targets` in the place of cheap ones that every document has. */
export function standBy(
  service: { readonly port: number },
  { targets = TARGETS }: { readonly targets?: readonly string[] } = {},
): Bystander {
  const failures: string[] = [];
  let answers = 0;
  const over = new AbortController();
  let onAnswer = (): void => undefined;
  const ask = async (target: string): Promise<void> => {
    try {
      const { status } = await get(service, target, { localAddress: '127.0.0.2' });
      if (status !== 200) failures.push(`${status} for ${target}`);
    } catch (error) {
      failures.push(`${target}: ${String(error)}`);
    }
    answers += 1;
    onAnswer();
  };
  const asking = (async (): Promise<void> => {
    for (let at = 0; !over.signal.aborted; at += 1) {
      await ask(targets[at % targets.length] ?? '/');
      // A client that takes all there is would be the fault itself.
      await new Promise((settle) => setTimeout(settle, 5));
    }
  })();
  return {
    sees: async (more) => {
      const until = answers + more;
      await new Promise<void>((settle) => {
        onAnswer = () => {
          if (answers >= until) settle();
        };
      });
    },
    end: async () => {
      over.abort();
      await asking;
      return { answers, failures };
    },
  };
}
