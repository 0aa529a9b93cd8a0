import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '../../src/contract/did-you-mean.ts';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { HOOK_NAMES, type HookName, type HookSettings, listFunctionNames } from '../target/hooks.ts';
import { resolveSuiteFile } from './suite-files.ts';
import { TargetError } from './target-error.ts';

const LOAD_TIMEOUT_MS = 15_000;

/**
 * @param profile the profile's path
 * @throws TargetError if the profile's hooks cannot be used
 */
export function resolveHooks({ module, urls = {}, headers = {} }: NonNullable<Profile['hooks']>, profile: string): HookSettings {
  const found = module === undefined ? undefined : loadModule(resolve(dirname(profile), module), module, profile);
  const problem = findProblem(found?.hooks ?? [], Object.keys(urls) as HookName[]);
  if (problem !== undefined) throw new TargetError(`${profile}: hooks: ${problem}`);
  return { module: found, urls, headers };
}

function loadModule(path: string, shown: string, profile: string): NonNullable<HookSettings['module']> {
  const createError = (reason: string) => new TargetError(`${profile}: hooks.module: ${reason}`);
  if (!existsSync(path)) throw createError(`There is no file ${path}. The path ${shown} is relative to the profile.`);
  const url = pathToFileURL(path).href;
  const { functions, failure } = listExports(url);
  if (failure !== undefined) throw createError(`${shown} cannot be loaded: ${failure}`);
  const all = `The hooks are, in camel case: ${HOOK_NAMES.map((name) => listFunctionNames(name).at(-1)).join(', ')}.`;
  const known = HOOK_NAMES.flatMap(listFunctionNames);
  const unknown = functions.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw createError(`${shown} exports ${unknown}, which is not a hook.${didYouMean(unknown, known) || ` ${all}`}`);
  const hooks = HOOK_NAMES.filter((name) => listFunctionNames(name).some((each) => functions.includes(each)));
  if (hooks.length === 0) throw createError(`${shown} exports no function that is a hook. ${all}`);
  return { url, shown, hooks };
}

/** Lists a module's exports in another process, because in this process, the module's timers and servers would keep running. */
function listExports(url: string): { readonly functions: readonly string[]; readonly failure?: string } {
  const { output, stderr, status, error } = spawnSync(process.execPath, [resolveSuiteFile('runner/list-exports'), url], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: LOAD_TIMEOUT_MS,
  });
  const listed = output?.[3];
  if (listed) return { functions: JSON.parse(listed) as string[] };
  if (error !== undefined) return { functions: [], failure: `loading it took longer than ${LOAD_TIMEOUT_MS / 1000} seconds` };
  return { functions: [], failure: stderr.split('\n    at ')[0]?.trim() || `the module ended the process with the status ${status}` };
}

function findProblem(inModule: readonly HookName[], atUrls: readonly HookName[]): string | undefined {
  const twice = inModule.find((name) => atUrls.includes(name));
  if (twice !== undefined) return `${twice} has both a function in the module and a URL. Remove one of them.`;
  const present = new Set([...inModule, ...atUrls]);
  for (const name of present) {
    const missing = listNeededHooks(name).find((needed) => !present.has(needed));
    if (missing === undefined) continue;
    return `${name} needs the hook ${missing}, which is missing. Add its URL to hooks.urls, or export ${listFunctionNames(missing).at(-1)} from the module in hooks.module.`;
  }
  return undefined;
}

/** All hooks for one kind of entity are needed together. A `.release` hook needs the hook whose value it releases. */
function listNeededHooks(name: HookName): readonly HookName[] {
  const [, maker] = /^(subscriptions|(?:portal|platform)\.\w+)\.\w+$/.exec(name) ?? [];
  if (maker !== undefined) return HOOK_NAMES.filter((other) => other.startsWith(`${maker}.`));
  return HOOK_NAMES.filter((other) => name === `${other}.release`);
}
