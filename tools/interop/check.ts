import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createKit, type Kit, type KitSettings } from '../../src/kit.ts';

/** `run` throws an error if the test fails. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

const INTEROP_FOLDER = import.meta.dirname;

export function createEmptyFolder(name: string): string {
  const folder = join(INTEROP_FOLDER, '.out', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** @throws Error with the output if the program fails */
export async function run(program: string, args: readonly string[], { cwd = INTEROP_FOLDER, env }: RunOptions = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...QUIET, ...env }, maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await promisify(execFile)(program, args, options).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(
        `${program} ${args.join(' ')} failed:\n${error.stdout || error.stderr ? `${error.stdout}${error.stderr}` : error.message}`,
      );
    },
  );
  return stdout + stderr;
}

const QUIET = { NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NODE_NO_WARNINGS: '1' };

/** The nearest `node_modules` folder takes precedence. */
export function runTool(name: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const folders = [options.cwd ?? INTEROP_FOLDER, INTEROP_FOLDER];
  const path = folders.map((folder) => join(folder, 'node_modules/.bin', name)).find((candidate) => existsSync(candidate));
  if (!path) throw new Error(`The command ${name} is not installed.`);
  return run(process.execPath, [realpathSync(path), ...args], options);
}

export async function withKit<Result>(use: (kit: Kit) => Promise<Result>, settings: KitSettings = {}): Promise<Result> {
  await using kit = await createKit({ port: 0, ...settings });
  return await use(kit);
}

export async function download(kit: Kit, path: string, file: string): Promise<string> {
  const response = await fetch(`${kit.url}${path}`);
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}.`);
  writeFileSync(file, await response.text());
  return file;
}
