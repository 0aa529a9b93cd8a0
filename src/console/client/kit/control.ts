import { signal } from '@preact/signals';
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../contract/generated/control.ts';

export type Schemas = components['schemas'];
export type JournalEntry = Schemas['JournalEntry'];
export type Problem = Schemas['Problem'];

/** The console's path, such as `/_console`, with any prefix that a proxy adds. */
export const consolePath = new URL('..', import.meta.url).pathname.replace(/\/$/, '');
export const kitUrl = new URL('../..', import.meta.url).href.replace(/\/$/, '');

export const tokenRequest = signal<'none' | 'needed' | 'wrong'>('none');

/** Kept only in memory, so a reload loses it. */
let token: string | undefined;
let tokenEntered = Promise.withResolvers<void>();

export function enterToken(newToken: string): void {
  token = newToken;
  tokenRequest.value = 'none';
  tokenEntered.resolve();
  tokenEntered = Promise.withResolvers();
}

class UnreachableError extends Error {
  override readonly name = 'Unreachable';
}

export class RefusedError extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;
  /** Each pointer is a JSON pointer to a wrong value. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title ?? 'The kit refused the request.');
    this.problem = problem;
    this.errors = (problem.errors ?? []) as unknown as typeof this.errors;
  }
}

/**
 * If necessary, waits until the user enters the control token.
 * @throws UnreachableError if there is no response
 */
export async function sendRequest(request: Request): Promise<Response> {
  const used = token;
  const headers = new Headers(request.headers);
  if (used !== undefined) headers.set('x-control-token', used);
  const response = await fetch(new Request(request.clone(), { headers })).catch((cause: unknown) => {
    if (request.signal.aborted) throw cause;
    throw new UnreachableError('The kit does not respond. Start it again, or wait: the console reconnects automatically.', { cause });
  });
  if (response.status !== 401) return response;
  if (token === used) {
    tokenRequest.value = used === undefined ? 'needed' : 'wrong';
    await tokenEntered.promise;
  }
  return sendRequest(request);
}

export const control = createClient<paths>({ baseUrl: kitUrl, headers: { 'content-type': 'application/json' }, fetch: sendRequest });

/** @throws RefusedError if the request was refused */
export async function getResponseData<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Exclude<Data, undefined>> {
  const { data, error, response } = await call;
  if (response.ok) return data as Exclude<Data, undefined>;
  const problem = typeof error === 'object' && error !== null ? (error as Problem) : undefined;
  throw new RefusedError(problem ?? ({ title: `The kit responded with ${response.status}.`, status: response.status } as Problem));
}
