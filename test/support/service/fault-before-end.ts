/**
 * Preloaded into the command (`node --import`): before it ends the instance that it takes over from, it sends a signal to
 * itself or to that one, as `FAULT_WHOM` and `FAULT_SIGNAL` say.
 */
const whom = process.env['FAULT_WHOM'];
const fault = process.env['FAULT_SIGNAL'] ?? 'SIGKILL';
const original = process.kill.bind(process);

process.kill = (pid, signal) => {
  if (signal === 'SIGTERM') original(whom === 'self' ? process.pid : pid, fault);
  return original(pid, signal);
};
