/**
 * Runs the command once for each list of parameters in its one argument (JSON), one after the other, and prints what came
 * of each as JSON: a process of its own, which takes one start of Node in the place of many.
 */
import process from 'node:process';

const MAIN = new URL('../../../src/commands/main.js', import.meta.url).href;

const printed = { stdout: '', stderr: '' };
const write = process.stdout.write.bind(process.stdout);
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (text: string) => {
    printed[name] += text;
    return true;
  };
  // Each command adds one.
  process[name].setMaxListeners(0);
}

// A command that failed ends its process half a second later, whatever is still to run here.
process.exit = (() => undefined) as unknown as typeof process.exit;

const lists = JSON.parse(process.argv[2] ?? '[]') as readonly (readonly string[])[];
const results: unknown[] = [];
for (const [number, parameters] of lists.entries()) {
  process.argv = [...process.argv.slice(0, 2), ...parameters];
  await import(`${MAIN}?${number}`);
  results.push({ code: process.exitCode ?? 0, ...printed });
  process.exitCode = undefined;
  Object.assign(printed, { stdout: '', stderr: '' });
}
write(JSON.stringify(results));
