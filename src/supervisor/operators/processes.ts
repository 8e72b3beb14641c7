/** Memory of a process in Linux (proc(5)). */
import { readFileSync } from 'node:fs';

/** Bytes in RAM (with the pages of the mapped local copy), and the anonymous ones among them; null where unknown. */
export function readMemory(pid: number) {
  const status = readText(`/proc/${pid}/status`);
  return {
    resident_bytes: bytesOf(status, /^VmRSS:\s*(\d+) kB$/m),
    anonymous_bytes: bytesOf(status, /^RssAnon:\s*(\d+) kB$/m),
  };
}

function bytesOf(status: string, line: RegExp): number | null {
  const kilobytes = line.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
