import { fetchWhole } from '../../src/contract/limited-body.ts';
import { HOOKS, type HookName, type HookSettings, listFunctionNames } from './hooks.ts';

/** The message names the hook, the module or URL, and the reason. */
export class HookError extends Error {
  override readonly name = 'HookError';
}

/** A hook's response, which contains the members in `HOOKS[hook].returns` and `HOOKS[hook].mayReturn`. */
type Response = Readonly<Record<string, string>>;

export interface HookCalls {
  has(hook: HookName): boolean;
  /**
   * @param args the arguments for `HOOKS[hook].body`
   * @returns the value of the response member `HOOKS[hook].returns`; an empty string if the hook returns no member
   * @throws HookError
   */
  call(hook: HookName, ...args: readonly unknown[]): Promise<string>;
  /** @throws HookError */
  callForResponse(hook: HookName, ...args: readonly unknown[]): Promise<Response>;
}

/** The minimum timeout, in milliseconds, for a hook in a module, because such a hook may send several requests. */
const MODULE_TIMEOUT_MS = 60_000;

interface HookCallOptions {
  readonly moduleMs?: number;
  /** Is called before each hook call, with the hook's timeout in milliseconds. */
  readonly allow?: (ms: number) => void;
}

/** @param timeoutMs the timeout for a hook at a URL, in milliseconds */
export function createHookCalls(
  { module, urls, headers }: HookSettings,
  timeoutMs: number,
  { moduleMs = Math.max(timeoutMs, MODULE_TIMEOUT_MS), allow = () => {} }: HookCallOptions = {},
): HookCalls {
  const calls: HookCalls = {
    has: (hook) => urls[hook] !== undefined || module?.hooks.includes(hook) === true,
    call: async (hook, ...args) => (await calls.callForResponse(hook, ...args))[HOOKS[hook].returns ?? ''] ?? '',
    async callForResponse(hook, ...args) {
      const body = HOOKS[hook].body(...(args as never[]));
      const url = urls[hook];
      allow(url === undefined ? moduleMs : timeoutMs);
      try {
        return validateResponse(hook, await (url === undefined ? callFunction(hook, module?.url ?? '', body, moduleMs) : post(url, body)));
      } catch (error) {
        const place = url === undefined ? `in ${module?.shown}` : `POST ${removeQuery(url)}`;
        throw new HookError(`The hook ${hook} (${place}) failed: ${describeError(error)}`, { cause: error });
      }
    },
  };
  return calls;

  async function post(url: string, body: object): Promise<unknown> {
    const sent = { ...headers, 'content-type': 'application/json', accept: 'application/json' };
    const request = { method: 'POST', headers: sent, body: JSON.stringify(body), redirect: 'manual' } as const;
    const response = await fetchWhole(url, request, { timeoutMs });
    const text = await response.text();
    if (!response.ok) throw new Error(`the response was ${response.status}: ${text.slice(0, 300)}`);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
}

async function callFunction(hook: HookName, moduleUrl: string, body: object, ms: number): Promise<unknown> {
  const [holder, key] = findFunction((await import(moduleUrl)) as object, hook) ?? [];
  if (holder === undefined || key === undefined) throw new Error('the module no longer exports this function');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the call took longer than ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([(Reflect.get(holder, key) as (body: object) => unknown).call(holder, body), late]);
  } finally {
    clearTimeout(timer);
  }
}

function findFunction(module: object, hook: HookName): [holder: object, key: string] | undefined {
  for (const holder of [module, Reflect.get(module, 'default') as unknown]) {
    if (typeof holder !== 'object' || holder === null) continue;
    const key = listFunctionNames(hook).find((name) => typeof Reflect.get(holder, name) === 'function');
    if (key !== undefined) return [holder, key];
  }
  return undefined;
}

/** @throws Error if the `returns` member is missing, or if some but not all of the `mayReturn` members are present */
function validateResponse(hook: HookName, response: unknown): Response {
  const { returns, mayReturn = [] } = HOOKS[hook];
  if (returns === undefined) return {};
  const given = Object(response) as Readonly<Record<string, unknown>>;
  const names = mayReturn.some((name) => given[name] !== undefined) ? [returns, ...mayReturn] : [returns];
  const isWhole = names.every((name) => typeof given[name] === 'string' && given[name] !== '');
  if (isWhole) return Object.fromEntries(names.map((name) => [name, String(given[name])]));
  const needed = JSON.stringify(Object.fromEntries(names.map((name) => [name, '…'])));
  const text = typeof response === 'string' ? response : JSON.stringify(response);
  throw new Error(`it must return ${needed}, not ${text?.slice(0, 300) || 'nothing'}`);
}

/** Removes a URL's query, because it may contain secrets. */
function removeQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Returns an error's message and its cause's message, because fetch gives the reason only in the cause. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message: why, code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return why || code ? `${error.message} (${why || code})` : error.message;
}
