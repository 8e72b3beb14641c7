/**
 * Loaded into every test process (`.taprc`): tap then sets no asynchronous hook.
 *
 * Tap's hook follows every promise, timer and socket, to say which subtest an error belongs to that nobody has caught.
 * That takes a quarter of the processor time of `test/all-units.test.ts`. Without it such an error still fails its file,
 * with its stack.
 */
import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const noHook: asyncHooks.AsyncHook = {
  enable: () => noHook,
  disable: () => noHook,
};
asyncHooks.createHook = () => noHook;
syncBuiltinESMExports();
