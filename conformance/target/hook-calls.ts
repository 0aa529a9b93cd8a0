import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, functionNames, HOOKS, HookError, type HookFunctions, type HookName, type HookSettings } from './hooks.ts';

/** Asks the hooks of a target. */
export interface HookCalls {
  has(hook: HookName): boolean;
  /** @returns the member of the answer that HOOKS names; an empty text where the hook answers nothing. @throws HookError */
  ask<H extends HookName>(hook: H, asked: Asked<H>): Promise<string>;
}

/** Calls hooks of this process. */
export function callsTo(functions: HookFunctions): HookCalls {
  return {
    has: (hook) => functions[hook] !== undefined,
    async ask(hook, asked) {
      const call = functions[hook];
      if (call === undefined) throw new HookError(`There is no hook ${hook}.`);
      const answer = await call(asked);
      return typeof answer === 'string' ? answer : '';
    },
  };
}

type Member = (asked: unknown) => unknown;

/** A module sees to its own calls: this is for one that never comes back. */
const MODULE_MS = 60_000;

interface Times {
  /** How long a function of a module may take, in milliseconds. */
  readonly moduleMs?: number;
  /** Is told before each call how long it may take, in milliseconds. */
  readonly allow?: (ms: number) => void;
}

/** @param timeoutMs how long an address may take to answer. */
export function createHookCalls(
  { module, urls, headers }: HookSettings,
  timeoutMs: number,
  { moduleMs = Math.max(timeoutMs, MODULE_MS), allow = () => {} }: Times = {},
): HookCalls {
  return {
    has: (hook) => urls[hook] !== undefined || module?.hooks.includes(hook) === true,
    async ask(hook, asked) {
      const url = urls[hook];
      if (url !== undefined) return answered(hook, `POST ${shown(url)}`, await post(hook, url, asked));
      if (!module?.hooks.includes(hook)) throw new HookError(`There is no hook ${hook}.`);
      allow(moduleMs);
      return answered(hook, `in ${module.shown}`, await call(hook, module, asked, moduleMs));
    },
  };

  async function post(hook: HookName, url: string, asked: unknown): Promise<unknown> {
    const name = `The hook ${hook} (POST ${shown(url)})`;
    const signal = AbortSignal.timeout(timeoutMs);
    allow(timeoutMs);
    const sent = { ...headers, 'content-type': 'application/json', accept: 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(asked), redirect: 'manual', signal }).catch(
      (error: Error) => {
        throw new HookError(`${name} does not answer: ${reasonOf(error)}`);
      },
    );
    const text = await answer.text();
    if (!answer.ok) throw new HookError(`${name} has to answer with 2xx. It answered with ${answer.status}: ${text.slice(0, 300)}`);
    if (HOOKS[hook] === undefined) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new HookError(`${name} has to answer with JSON such as ${example(hook)}, not with: ${text.slice(0, 300) || 'nothing'}`);
    }
  }
}

async function call(hook: HookName, { url, shown }: NonNullable<HookSettings['module']>, asked: unknown, ms: number): Promise<unknown> {
  const name = `The hook ${hook} (in ${shown})`;
  const ended = new AbortController();
  try {
    const [holder, key] = memberOf((await import(url)) as object, hook) ?? [];
    if (holder === undefined || key === undefined) throw new Error('the module has no such function any more');
    const called = async () => (Reflect.get(holder, key) as Member).call(holder, asked);
    const over = async () => {
      await pause(ms, undefined, { signal: ended.signal });
      throw new Error(`it took longer than ${ms / 1000} s`);
    };
    return await Promise.race([called(), over()]);
  } catch (error) {
    throw new HookError(`${name} failed: ${error instanceof Error ? reasonOf(error) : String(error)}`, { cause: error });
  } finally {
    ended.abort();
  }
}

/** Where a module has the function of a hook: among what it exports, or in what it exports by default. */
export function memberOf(module: object, hook: HookName): [holder: object, key: string] | undefined {
  for (const holder of [module, Reflect.get(module, 'default') as unknown]) {
    if (typeof holder !== 'object' || holder === null) continue;
    const key = functionNames(hook).find((name) => typeof Reflect.get(holder, name) === 'function');
    if (key !== undefined) return [holder, key];
  }
  return undefined;
}

function answered(hook: HookName, where: string, answer: unknown): string {
  const member = HOOKS[hook];
  if (member === undefined) return '';
  const value = typeof answer === 'object' && answer !== null ? (Reflect.get(answer, member) as unknown) : undefined;
  if (typeof value === 'string' && value !== '') return value;
  const said = answer === undefined ? 'nothing' : JSON.stringify(answer).slice(0, 300);
  throw new HookError(`The hook ${hook} (${where}) has to answer ${example(hook)}, not ${said}.`);
}

function example(hook: HookName): string {
  return JSON.stringify({ [String(HOOKS[hook])]: '…' });
}

/** Without what may be secret in it. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Of fetch, only the cause says what happened. */
function reasonOf({ message, cause }: Error): string {
  const { message: why, code } = (cause ?? {}) as NodeJS.ErrnoException;
  return why || code ? `${message} (${why || code})` : message;
}
