/**
 * Runs the command once for each list in its argument (JSON), and prints the results as JSON: one start of Node for
 * many commands.
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
  // Each command adds a listener.
  process[name].setMaxListeners(0);
}

// A failed command would exit half a second later, during the next commands.
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
