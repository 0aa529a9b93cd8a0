// Builds an executable that contains Node.js and the installed package, as build/xpk-linux-x64, and checks it. Needs `npm run build`, and
// `strip` of binutils. `--arch arm64` builds for another architecture, without the checks. docs/decisions/0016 contains the reasons.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdirSync, mkdtempDisposableSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { inject } from 'postject';
import packageJson from '../../package.json' with { type: 'json' };
import runtimePackage from '../runtime/package.json' with { type: 'json' };
import { pack } from './binary/unpack.ts';
import { installPackage, runNpm } from './installed-package.ts';
import { checkClient, checkExploration, checkStart, type Project, runXpk } from './package/use.ts';

const { arch } = parseArgs({ options: { arch: { type: 'string', default: process.arch } } }).values;
const runtimes: Readonly<Record<string, string>> = runtimePackage.optionalDependencies;
const runtimeName = `node-linux-${arch}`;
const version = runtimes[runtimeName];
if (version === undefined) throw new Error(`There is no runtime for --arch ${arch}. The runtimes are ${Object.keys(runtimes).join(', ')}.`);
// Node.js reads only what the same version has written.
if (process.version !== `v${version}`) throw new Error(`Run this script with Node.js ${version}: npm run binary`);

using temporary = mkdtempDisposableSync(join(tmpdir(), 'xpk-binary-'));
const folder = temporary.path;
const installed = installPackage();
const binary = resolve('build', `xpk-linux-${arch}`);
await buildBinary();
console.log(`Built ${binary} with ${(statSync(binary).size / 1_000_000).toFixed(0)} MB`);
if (arch === process.arch) await checkBinary();

async function buildBinary(): Promise<void> {
  const main = join(folder, 'main.cjs');
  await build({ entryPoints: ['tools/scripts/binary/main.ts'], outfile: main, bundle: true, platform: 'node', target: 'node24' });
  const runtime = getRuntime();
  const files = pack(readPackages().set('LICENSE-Node.js', readFileSync(join(dirname(runtime), '../LICENSE'))));
  const digest = createHash('sha256').update(files).digest('hex');
  const assets = { files: join(folder, 'files'), name: join(folder, 'name') };
  writeFileSync(assets.files, files);
  writeFileSync(assets.name, `${packageJson.version}-${digest.slice(0, 16)}`);
  const config = join(folder, 'config.json');
  const blob = join(folder, 'blob');
  writeFileSync(config, JSON.stringify({ main, output: blob, assets, disableExperimentalSEAWarning: true }));
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync('build', { recursive: true });
  copyFileSync(runtime, binary);
  stripSymbols(binary);
  await inject(binary, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2' });
}

/** The package and Playwright, without the compile cache that the package's use creates. */
function readPackages(): Map<string, Uint8Array> {
  const paths = globSync('node_modules/{experience-provider-kit,@playwright/test,playwright,playwright-core}/**', {
    cwd: installed,
    withFileTypes: true,
    exclude: (entry) => entry.name === '.cache',
  });
  const files = paths.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.sort().map((file) => [file.slice(installed.length + 1), readFileSync(file)]));
}

/** @returns the path of Node.js for the binary's architecture */
function getRuntime(): string {
  if (arch === process.arch) return process.execPath;
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  // npm refuses packages for another architecture without `--force`.
  runNpm(folder, 'install', '--force', `${runtimeName}@${version}`);
  return join(folder, 'node_modules', runtimeName, 'bin/node');
}

/** Only debuggers need the symbols, which take 18 MB. */
function stripSymbols(file: string): void {
  try {
    execFileSync('strip', [file], { stdio: 'ignore' });
  } catch {
    console.log(`The binary keeps its symbols, because strip is not installed for ${arch}.`);
  }
}

async function checkBinary(): Promise<void> {
  // Without PATH, so that no other Node.js can be found.
  const env = { PATH: '', XDG_CACHE_HOME: join(folder, 'cache') };
  const project: Project = {
    folder,
    installed: join(installed, 'node_modules/experience-provider-kit'),
    runtime: [binary],
    xpk: binary,
    env,
  };
  const printed = runXpk(project, '--version').trim();
  if (printed !== packageJson.version) throw new Error(`xpk --version should print ${packageJson.version}, but printed "${printed}"`);
  await checkStart(project);
  checkClient(project);
  checkExploration(project);
  console.log('Without Node.js, xpk start, xpk check client and xpk conformance work');
}
