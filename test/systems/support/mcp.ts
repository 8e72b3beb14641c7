/** A client of a Model Context Protocol server over standard input and output (revision 2025-11-25). */
import type { Test } from 'tap';
import { startProgram } from './recipes.js';

interface ToolList {
  readonly result: { readonly tools: readonly { readonly name: string }[] };
}

/** Starts the server of the file; `request` and `sendLine` resolve with the next answer. */
export function startMcpServer(t: Test, folder: string, file: string) {
  const { send, nextLine } = startProgram(t, folder, [process.execPath, file]);
  let id = 0;
  const sendLine = async (line: string): Promise<unknown> => {
    send(line);
    return JSON.parse(await nextLine()) as unknown;
  };
  const request = (method: string, params?: object): Promise<unknown> =>
    sendLine(JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }));
  return {
    sendLine,
    request,
    notify: (method: string): void => {
      send(JSON.stringify({ jsonrpc: '2.0', method }));
    },
    call: (name: string, values?: object) => request('tools/call', { name, arguments: values }),
    toolNames: async (): Promise<readonly string[]> =>
      ((await request('tools/list')) as ToolList).result.tools.map(({ name }) => name),
  };
}

/** The result of a call. */
export function mcpResult(text: string | RegExp, isError: boolean) {
  return { result: { content: [{ type: 'text', text }], isError } };
}
