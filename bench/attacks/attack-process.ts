/** The process of an attacker, so that what it does takes no time from those who measure. */
import { abandonedPages } from './abandoned-pages.js';
import type { Attack, AttackOrder, RunningAttack } from './attack.js';
import { crowd } from './crowd.js';
import { eightConnections } from './eight-connections.js';
import { longTexts } from './long-texts.js';
import { manyConnections } from './many-connections.js';
import { pinnedCopies } from './pinned-copies.js';
import { slowReaders } from './slow-readers.js';
import { unreadChanges } from './unread-changes.js';
import { variedRequests } from './varied-requests.js';

const ATTACKS = {
  'long-texts': longTexts,
  'abandoned-pages': abandonedPages,
  'pinned-copies': pinnedCopies,
  'slow-readers': slowReaders(300, 2_000),
  'stalled-readers': slowReaders(1_000, 0),
  'unread-changes': unreadChanges,
  'eight-connections': eightConnections(),
  'twenty-addresses': eightConnections(20),
  'crowd-of-32': crowd(32),
  'crowd-of-200': crowd(200),
  'varied-requests': variedRequests,
  'many-connections': manyConnections('/health/live', 4000),
  'many-listeners': manyConnections('/api/v1/events'),
} as const satisfies Readonly<Record<string, Attack>>;

export type AttackName = keyof typeof ATTACKS;

/** Messages to this process, each answered with a report; the attack ends with the process. */
export type ToAttack =
  | { readonly kind: 'start'; readonly name: AttackName; readonly order: AttackOrder }
  | { readonly kind: 'report' };

let running: RunningAttack | undefined;

process.on('message', (message: ToAttack) => {
  if (message.kind === 'start') running = ATTACKS[message.name](message.order);
  process.send?.(running?.report() ?? {});
});
process.once('disconnect', () => {
  process.exit(0);
});
