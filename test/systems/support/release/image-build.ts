/**
 * Carries out a Containerfile without a container engine: each step in order, in a root of layers
 * (`tools/release/in-root.sh`). A bare Debian with Node and npm (`tools/release/bare-root.sh`) replaces the base image.
 * Unknown instructions are errors.
 */
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseContainerfile, variablesOf, wordsOf, type Instruction } from './containerfile.js';
import { IN_ROOT, run } from './programs.js';

interface Base {
  /** The image that FROM must name. */
  readonly image: string;
  /** Folders, the uppermost first. */
  readonly layers: readonly string[];
  /** Environment of every process, before the image's own. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Image {
  readonly layers: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly directory: string;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

export interface Build {
  readonly base: Base;
  /** The folder that COPY takes files from, without what `.dockerignore` names. */
  readonly context: string;
  readonly scratch: string;
  /** Called before each step. */
  readonly onStep: (step: string) => void;
}

type Stage = { -readonly [Member in keyof Image]: Image[Member] } & { readonly changes: string };

/** The stages of the file by name, or number from 0; the last one is the default. */
export async function buildImages(file: string, build: Build): Promise<ReadonlyMap<string, Image>> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of parseContainerfile(await readFile(file, 'utf8'))) {
    build.onStep(`${instruction.name} ${instruction.text}`);
    if (instruction.name === 'FROM') {
      const [image, as, name = String(stages.size)] = instruction.text.split(/ +/);
      const below = stages.get(image ?? '');
      if (
        (below === undefined && image !== build.base.image) ||
        (as !== undefined && as !== 'AS')
      ) {
        throw new Error(`another base than ${build.base.image}: ${instruction.text}`);
      }
      stage = newStage(build, name, below);
      stages.set(name, stage);
      await mkdir(join(stage.changes, 'upper'), { recursive: true });
    } else {
      if (stage === undefined) throw new Error(`before any FROM: ${instruction.name}`);
      await carryOut(instruction, { stage, stages, build });
    }
  }
  return stages;
}

function newStage({ base, scratch }: Build, name: string, below?: Stage): Stage {
  const changes = join(scratch, `stage-${name}`);
  const layers = [join(changes, 'upper'), ...(below ?? base).layers];
  if (below !== undefined) return { ...below, changes, layers };
  return {
    changes,
    layers,
    environment: base.environment,
    user: '0:0',
    directory: '/',
    volumes: [],
    ports: [],
    entrypoint: [],
    command: [],
    healthCheck: [],
  };
}

interface Circumstances {
  readonly stage: Stage;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly build: Build;
}

async function carryOut(instruction: Instruction, circumstances: Circumstances): Promise<void> {
  const { stage } = circumstances;
  const { name, text } = instruction;
  switch (name) {
    case 'RUN': {
      const line = `cd '${stage.directory}' && ${text}`;
      const lower = stage.layers.slice(1).join(':');
      await run(IN_ROOT, [lower, stage.changes, '/bin/sh', '-c', line], {
        env: { ...stage.environment, AS: stage.user },
      });
      return;
    }
    case 'COPY':
      await copy(instruction, circumstances);
      return;
    case 'WORKDIR':
      stage.directory = text;
      await mkdir(join(stage.changes, 'upper', text), { recursive: true });
      return;
    case 'ENV':
      stage.environment = { ...stage.environment, ...variablesOf(text) };
      return;
    case 'USER':
      stage.user = text;
      return;
    case 'VOLUME':
      stage.volumes = [...stage.volumes, text];
      return;
    case 'EXPOSE':
      stage.ports = [...stage.ports, text];
      return;
    case 'HEALTHCHECK':
      stage.healthCheck = text === 'NONE' ? [] : wordsOf(text.replace(/^CMD /, ''));
      return;
    case 'ENTRYPOINT':
      stage.entrypoint = wordsOf(text);
      return;
    case 'CMD':
      stage.command = wordsOf(text);
      return;
    default:
      throw new Error(`an instruction that nobody carries out: ${name}`);
  }
}

/** Carries out COPY. From another stage, it copies only files that the stage itself has made, not those of its base. */
async function copy({ flags, text }: Instruction, circumstances: Circumstances): Promise<void> {
  const { stage, stages, build } = circumstances;
  const paths = text.split(/ +/);
  const to = paths.pop() ?? '';
  const target = resolve('/', stage.directory, to);
  const isFolder = to.endsWith('/') || to === '.';
  const from = flags['from'] === undefined ? undefined : stages.get(flags['from']);
  if (flags['from'] !== undefined && from === undefined) throw new Error(`no stage: ${text}`);
  const source = from === undefined ? build.context : join(from.changes, 'upper');
  for (const path of paths) {
    const names = path === '.' ? await namesIn(build.context) : [path];
    for (const one of names) {
      const place = isFolder ? join(target, one) : target;
      const copied = join(stage.changes, 'upper', place);
      await mkdir(dirname(copied), { recursive: true });
      await cp(join(source, one), copied, {
        recursive: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
      });
    }
  }
}

/** Files of the context that are not left out: `.dockerignore` has names at the top, and no patterns. */
async function namesIn(context: string): Promise<readonly string[]> {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n');
  const ignored = lines.filter((line) => line !== '' && !line.startsWith('#'));
  for (const name of ignored) {
    if (!/^[\w.-]+$/.test(name)) throw new Error(`.dockerignore: not a plain name: ${name}`);
  }
  return (await readdir(context)).filter((name) => !ignored.includes(name));
}
