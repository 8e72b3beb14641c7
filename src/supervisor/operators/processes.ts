/** The processes of an instance with what they hold in memory, from proc(5). */
import { readFile } from 'node:fs/promises';

export interface ProcessFigures {
  readonly role: 'supervisor' | 'front' | 'store' | 'import';
  readonly pid: number;
  /** All that is in memory, pages of mapped copies included; null where the system does not tell. */
  readonly residentBytes: number | null;
  /** What is the process's own: the kernel cannot take it back. */
  readonly anonymousBytes: number | null;
}

/** This process, its fronts, the one that looks at the store, and the imports that are its other children. */
export async function readProcesses(
  fronts: readonly number[],
  store: number | undefined,
): Promise<readonly ProcessFigures[]> {
  const children = await childrenOf(process.pid);
  const imports = children.filter((pid) => !fronts.includes(pid) && pid !== store);
  return await Promise.all([
    figuresOf('supervisor', process.pid),
    ...fronts.map((pid) => figuresOf('front', pid)),
    ...(store === undefined ? [] : [figuresOf('store', store)]),
    ...imports.map((pid) => figuresOf('import', pid)),
  ]);
}

/** Those that the main thread has started, as all of them are; none where the kernel was built without the list. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await textOf(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}

async function figuresOf(role: ProcessFigures['role'], pid: number): Promise<ProcessFigures> {
  const status = await textOf(`/proc/${pid}/status`);
  return {
    role,
    pid,
    residentBytes: bytesOf(status, /^VmRSS:\s*(\d+) kB$/m),
    anonymousBytes: bytesOf(status, /^RssAnon:\s*(\d+) kB$/m),
  };
}

function bytesOf(status: string, line: RegExp): number | null {
  const kibibytes = line.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** Empty where there is no such file. */
async function textOf(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}
