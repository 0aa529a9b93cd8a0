import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, functionNames, HOOKS, HookError, type HookFunctions, type HookName, type HookSettings } from './hooks.ts';

/** Calls the hooks of a target. */
export interface HookCalls {
  has(hook: HookName): boolean;
  /** @returns the member of the answer that HOOKS names; an empty string if the hook answers nothing. @throws HookError */
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

/** For a function that never returns. Modules have their own timeouts. */
const MODULE_TIMEOUT_MS = 60_000;

interface Options {
  /** How long a function of the module may take, in milliseconds. */
  readonly moduleMs?: number;
  /** Called before each call with the milliseconds that it may take. */
  readonly allow?: (ms: number) => void;
}

/** Calls hooks in a module or at addresses. @param timeoutMs how long an address may take to answer */
export function createHookCalls(
  { module, urls, headers }: HookSettings,
  timeoutMs: number,
  { moduleMs = Math.max(timeoutMs, MODULE_TIMEOUT_MS), allow = () => {} }: Options = {},
): HookCalls {
  return {
    has: (hook) => urls[hook] !== undefined || module?.hooks.includes(hook) === true,
    async ask(hook, asked) {
      const url = urls[hook];
      if (url !== undefined) return valueIn(hook, `POST ${withoutQuery(url)}`, await post(hook, url, asked));
      if (!module?.hooks.includes(hook)) throw new HookError(`There is no hook ${hook}.`);
      allow(moduleMs);
      return valueIn(hook, `in ${module.shown}`, await call(hook, module, asked, moduleMs));
    },
  };

  async function post(hook: HookName, url: string, asked: unknown): Promise<unknown> {
    const name = `The hook ${hook} (POST ${withoutQuery(url)})`;
    const signal = AbortSignal.timeout(timeoutMs);
    allow(timeoutMs);
    const sent = { ...headers, 'content-type': 'application/json', accept: 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(asked), redirect: 'manual', signal }).catch(
      (error: Error) => {
        throw new HookError(`${name} does not answer: ${reasonOf(error)}`);
      },
    );
    const text = await answer.text();
    if (!answer.ok) throw new HookError(`${name} must answer with 2xx. It answered with ${answer.status}: ${text.slice(0, 300)}`);
    if (HOOKS[hook] === undefined) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new HookError(`${name} must answer with JSON such as ${example(hook)}, not with: ${text.slice(0, 300) || 'nothing'}`);
    }
  }
}

async function call(hook: HookName, { url, shown }: NonNullable<HookSettings['module']>, asked: unknown, ms: number): Promise<unknown> {
  const name = `The hook ${hook} (in ${shown})`;
  const ended = new AbortController();
  try {
    const [holder, key] = memberOf((await import(url)) as object, hook) ?? [];
    if (holder === undefined || key === undefined) throw new Error('the module does not export this function any more');
    const called = async () => (Reflect.get(holder, key) as (asked: unknown) => unknown).call(holder, asked);
    const timeout = async () => {
      await pause(ms, undefined, { signal: ended.signal });
      throw new Error(`it took longer than ${ms / 1000} s`);
    };
    return await Promise.race([called(), timeout()]);
  } catch (error) {
    throw new HookError(`${name} failed: ${error instanceof Error ? reasonOf(error) : String(error)}`, { cause: error });
  } finally {
    ended.abort();
  }
}

/** The function of a hook: a named export, or a member of the default export. */
function memberOf(module: object, hook: HookName): [holder: object, key: string] | undefined {
  for (const holder of [module, Reflect.get(module, 'default') as unknown]) {
    if (typeof holder !== 'object' || holder === null) continue;
    const key = functionNames(hook).find((name) => typeof Reflect.get(holder, name) === 'function');
    if (key !== undefined) return [holder, key];
  }
  return undefined;
}

function valueIn(hook: HookName, where: string, answer: unknown): string {
  const member = HOOKS[hook];
  if (member === undefined) return '';
  const value = typeof answer === 'object' && answer !== null ? (Reflect.get(answer, member) as unknown) : undefined;
  if (typeof value === 'string' && value !== '') return value;
  const given = answer === undefined ? 'nothing' : JSON.stringify(answer).slice(0, 300);
  throw new HookError(`The hook ${hook} (${where}) must answer ${example(hook)}, not ${given}.`);
}

function example(hook: HookName): string {
  return JSON.stringify({ [String(HOOKS[hook])]: '…' });
}

/** The query may contain secrets. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The message, with that of the cause: fetch explains a failure only there. */
function reasonOf({ message, cause }: Error): string {
  const { message: why, code } = (cause ?? {}) as NodeJS.ErrnoException;
  return why || code ? `${message} (${why || code})` : message;
}
