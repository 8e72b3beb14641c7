/**
 * Loaded into every test process (`.taprc`): disables tap's asynchronous hook, which takes a quarter of the processor time
 * of `test/all-units.test.ts`. Without it, an uncaught error still makes its test file fail, and its stack is printed.
 */
import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const noHook: asyncHooks.AsyncHook = { enable: () => noHook, disable: () => noHook };
asyncHooks.createHook = () => noHook;
syncBuiltinESMExports();
