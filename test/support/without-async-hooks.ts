/**
 * Loaded into every test process (`.taprc`): disables tap's asynchronous hook.
 *
 * The hook finds out to which subtest an uncaught error belongs, and takes a quarter of the processor time of
 * `test/all-units.test.ts`. Without the hook, such an error still makes its test file fail, and its stack is printed.
 */
import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const noHook: asyncHooks.AsyncHook = {
  enable: () => noHook,
  disable: () => noHook,
};
asyncHooks.createHook = () => noHook;
syncBuiltinESMExports();
