/** `bura completion`: prints a script for a shell. It is static, but for the ids of snapshots, which `bura list` tells. */
import type { Command } from 'commander';
import { printLine } from '../terminal.js';
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { describeProgram, type CompletedProgram } from './model.js';
import { SHELLS, type Shell } from './shells.js';
import { zshScript } from './zsh.js';

const SCRIPTS: Readonly<Record<Shell, (program: CompletedProgram) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** @param shell which Commander has checked. */
export function completion(program: Command, shell: string): void {
  const known = SHELLS.find((name) => name === shell);
  if (known !== undefined) printLine(SCRIPTS[known](describeProgram(program)).trimEnd());
}
