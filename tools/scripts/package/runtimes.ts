import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { runNpm } from '../installed-package.ts';

/** A program, and the arguments before its own arguments. */
export type Command = readonly [string, ...string[]];

export interface Tool {
  /** With the version, such as `pnpm 12.21.0`. */
  readonly name: string;
  readonly command: Command;
}

const FOLDER = resolve('tools/managers');
/** The oldest version that the package supports, and the newest of each line that gets fixes, besides the line of this process. */
const OTHER_NODES = [`${packageJson.engines.node.replace('>=', '')}.0`, '22', '26'];

/** Installs the package managers and runtimes in `tools/managers`, with other versions of Node.js, as far as this platform has them. */
export function installTools(): { nodes: readonly Tool[]; runtimes: readonly Tool[]; managers: readonly Tool[] } {
  const versions = process.platform === 'linux' ? OTHER_NODES : [];
  const aliases = versions.map((version) => `node-${version}@npm:node-linux-${process.arch}@${version}`);
  runNpm(FOLDER, 'install', '--ignore-scripts', '--no-save', '--no-package-lock', ...aliases);
  const nodes = [...find('node-*/bin/node'), process.execPath].map((path) => describe('Node.js', [path]));
  const bun = find('@oven/bun-*/bin/bun').map((path) => describe('bun', [path]));
  const deno = find('@deno/*/deno').map((path) => describe('Deno', [path]));
  const absent = [versions.length === 0 && 'other Node.js versions', bun.length === 0 && 'bun', deno.length === 0 && 'Deno'].filter(
    Boolean,
  );
  if (absent.length > 0)
    console.log(`Skipped ${absent.join(' and ')}, because there is no package for ${process.platform} ${process.arch}.`);
  const scripts = [...find('pnpm/bin/pnpm.mjs'), ...find('yarn/bin/yarn.js'), ...find('@yarnpkg/cli-dist/bin/yarn.js')];
  return {
    nodes: nodes.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
    runtimes: [...bun, ...deno.map(({ name, command }): Tool => ({ name, command: [...command, 'run', '-A'] }))],
    managers: [...scripts.map((path) => describe(path.includes('pnpm') ? 'pnpm' : 'Yarn', [process.execPath, path])), ...bun],
  };
}

const find = (pattern: string) => globSync(join(FOLDER, 'node_modules', pattern));

function describe(name: string, [file, ...args]: Command): Tool {
  const printed = execFileSync(file, [...args, '--version'], { encoding: 'utf8' });
  return { name: `${name} ${/\d+\.\d+\.\d+/.exec(printed)?.[0]}`, command: [file, ...args] };
}
