// Runs a Dockerfile without a container runtime. An empty folder replaces each stage's root folder.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Image {
  /** The local folder that replaces the image's root folder. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

type Instruction = readonly [name: string, rest: string];

function parseInstructions(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      if (line.endsWith('\\')) throw new Error(`Continuation lines are not supported: ${line}`);
      return [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)];
    });
}

/**
 * Builds the last stage's image. RUN instructions run on this machine, so they must not contain absolute paths.
 * @param folder an empty folder for the stages
 * @param base the base image's environment variables
 * @throws Error for an unsupported or failing instruction
 */
export function build(dockerfile: string, context: string, folder: string, base: Readonly<Record<string, string>>): Image {
  const roots = new Map<string, string>();
  let image: Image | undefined;
  for (const [name, rest] of parseInstructions(dockerfile)) {
    if (name === 'FROM') {
      const root = join(folder, `${roots.size}`);
      roots.set(/ AS (\S+)$/.exec(rest)?.[1] ?? `${roots.size}`, root);
      image = { root, workdir: '/', env: base, user: 'root', command: [], healthcheck: [] };
      continue;
    }
    if (image === undefined) throw new Error(`The instruction ${name} comes before FROM.`);
    const resolveImagePath = (path: string) => (path.startsWith('/') ? join(image!.root, path) : join(image!.root, image!.workdir, path));
    if (name === 'WORKDIR') {
      image = { ...image, workdir: rest };
      mkdirSync(resolveImagePath(rest), { recursive: true });
    } else if (name === 'COPY') copy(rest);
    else if (name === 'RUN') runCommand(rest);
    else if (name === 'ENV') image = { ...image, env: { ...image.env, ...parseVariables(rest, image) } };
    else if (name === 'USER') image = { ...image, user: rest };
    else if (name === 'CMD') image = { ...image, command: JSON.parse(rest) as string[] };
    else if (name === 'HEALTHCHECK') image = { ...image, healthcheck: JSON.parse(rest.slice(rest.indexOf('['))) as string[] };
    else if (name !== 'EXPOSE') throw new Error(`The instruction ${name} is not supported.`);

    function runCommand(command: string): void {
      execFileSync('sh', ['-ec', command], {
        cwd: resolveImagePath('.'),
        env: { ...process.env, ...image!.env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }

    function copy(words: string): void {
      const [, stage, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(words) ?? [];
      const sources = paths.split(' ');
      const target = sources.pop() ?? '';
      const from = stage === undefined ? context : roots.get(stage);
      if (from === undefined) throw new Error(`There is no stage ${stage}.`);
      for (const source of sources.map((path) => join(from, path))) {
        const isInto = target.endsWith('/') && !statSync(source).isDirectory();
        const path = isInto ? join(resolveImagePath(target), basename(source)) : resolveImagePath(target);
        cpSync(source, path, { recursive: true, verbatimSymlinks: true });
        if (statSync(path).isFile()) replaceInterpreter(path, image!.root);
      }
    }
  }
  if (image === undefined) throw new Error('The Dockerfile has no stage.');
  return image;
}

/** Converts the path of a script's interpreter to its path on this machine, if the image contains the interpreter. */
function replaceInterpreter(file: string, root: string): void {
  const [line, interpreter = ''] = /^#!(\S+)/.exec(readFileSync(file, 'latin1')) ?? [];
  if (line !== undefined && existsSync(join(root, interpreter)))
    writeFileSync(file, readFileSync(file, 'utf8').replace(line, `#!${join(root, interpreter)}`));
}

/** Parses `NAME=value NAME=value`, and converts paths in the image to paths on this machine. */
function parseVariables(text: string, { env, root }: Image): Record<string, string> {
  return Object.fromEntries(
    text.split(' ').map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name, value.replace(/^\//, `${root}/`).replace(/\$(\w+)/g, (_, other: string) => env[other] ?? '')];
    }),
  );
}
