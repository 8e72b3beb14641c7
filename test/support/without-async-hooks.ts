/**
 * Loaded into every test process (`.taprc`): disables tap's asynchronous hook.
 *
 * The hook finds the subtest of uncaught errors, and takes a quarter of the processor time of `test/all-units.test.ts`.
 * Without the hook, such an error still fails its file, with its stack.
 */
import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const noHook: asyncHooks.AsyncHook = {
  enable: () => noHook,
  disable: () => noHook,
};
asyncHooks.createHook = () => noHook;
syncBuiltinESMExports();
