import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { WrittenHooks } from '../../../conformance/runner/profile-target.ts';
import { functionNames, HOOKS, type HookName, type HookSettings } from '../../../conformance/target/hooks.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { UsageError } from '../usage-error.ts';
import type { Inspected } from './hooks-thread.ts';

/** A module that is not loaded by then waits for something that does not come. */
const PATIENCE_MS = 15_000;

const NAMES = Object.keys(HOOKS) as HookName[];

/** Which hooks there are, and where. @param profile the path of the file that names them. @throws UsageError where they cannot be used. */
export async function resolveHooks({ module, urls = {}, headers = {} }: WrittenHooks, profile: string): Promise<HookSettings> {
  const found = module === undefined ? undefined : await moduleAt(resolve(dirname(profile), module), module, profile);
  const problem = problemWith(found?.hooks ?? [], Object.keys(urls) as HookName[]);
  if (problem !== undefined) throw new UsageError(`${profile}: hooks: ${problem}`);
  return { module: found, urls, headers };
}

async function moduleAt(path: string, shown: string, profile: string): Promise<NonNullable<HookSettings['module']>> {
  const refuse = (reason: string) => new UsageError(`${profile}: hooks.module: ${reason}`);
  if (!existsSync(path)) throw refuse(`There is no file ${path}. The path ${shown} is seen from the profile.`);
  const url = pathToFileURL(path).href;
  const inspected = await inspect(url);
  if ('failed' in inspected) throw refuse(`${shown} cannot be loaded: ${placed(inspected.failed, path)}`);
  const [other] = inspected.others;
  const all = `The hooks are, in camel case: ${NAMES.map((name) => functionNames(name).at(-1)).join(', ')}.`;
  if (other !== undefined) {
    throw refuse(`${shown} exports ${other}, which is no hook.${didYouMean(other, NAMES.flatMap(functionNames)) || ` ${all}`}`);
  }
  if (inspected.hooks.length === 0) throw refuse(`${shown} exports no function that is a hook. ${all}`);
  return { url, shown, hooks: inspected.hooks };
}

/** Of a mistake in the syntax the error does not tell the line; Node does where it only checks a file. */
function placed(reason: string, path: string): string {
  if (!reason.startsWith('SyntaxError')) return reason;
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' });
  return stderr.split('\n    at ')[0]?.trim() || reason;
}

async function inspect(url: string): Promise<Inspected> {
  const ending = extname(fileURLToPath(import.meta.url));
  const thread = new Worker(new URL(`./hooks-thread${ending}`, import.meta.url), { workerData: url });
  const late = { failed: `it is not loaded after ${PATIENCE_MS / 1000} seconds` };
  try {
    return await new Promise<Inspected>((settle) => {
      const timer = setTimeout(() => settle(late), PATIENCE_MS);
      const end = (inspected: Inspected) => {
        clearTimeout(timer);
        settle(inspected);
      };
      thread.on('message', end);
      thread.on('error', (error) => end({ failed: String(error) }));
      thread.on('exit', (code) => end({ failed: `it ended the process with ${code}` }));
    });
  } finally {
    await thread.terminate();
  }
}

/** What cannot be meant: a hook in two places, or one without those that it needs. */
function problemWith(inModule: readonly HookName[], atUrls: readonly HookName[]): string | undefined {
  const twice = inModule.find((name) => atUrls.includes(name));
  if (twice !== undefined) return `${twice} is in the module and has an address, too. Keep one.`;
  const there = new Set([...inModule, ...atUrls]);
  for (const name of there) {
    const missing = neededBy(name).find((needed) => !there.has(needed));
    if (missing === undefined) continue;
    return `${name} needs ${missing}, which is missing: an address, or in the module a function ${functionNames(missing).at(-1)}.`;
  }
  return undefined;
}

/** What is made is changed and removed; and only what was handed out is released. */
function neededBy(name: HookName): readonly HookName[] {
  const [, maker] = /^(subscriptions|(?:portal|platform)\.\w+)\.\w+$/.exec(name) ?? [];
  if (maker !== undefined) return NAMES.filter((other) => other.startsWith(`${maker}.`));
  return NAMES.filter((other) => name === `${other}.release`);
}
