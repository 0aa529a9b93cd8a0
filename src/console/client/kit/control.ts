import { signal } from '@preact/signals';
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../contract/generated/control.ts';

export type Schemas = components['schemas'];
export type JournalEntry = Schemas['JournalEntry'];
export type Problem = Schemas['Problem'];

/** The path of the console, such as `/_console`. A proxy may add a prefix, so it is derived from the address of this file. */
export const consolePath = new URL('..', import.meta.url).pathname.replace(/\/$/, '');
/** The address of the kit, without a trailing slash. */
export const kitUrl = new URL('../..', import.meta.url).href.replace(/\/$/, '');

/** Whether the control token is needed, and whether the one that was entered is wrong. */
export const tokenRequest = signal<'none' | 'needed' | 'wrong'>('none');

/** The control token, in memory only: a reload forgets it. */
let token: string | undefined;
let entered = Promise.withResolvers<void>();

/** Uses a control token for the requests that wait for it, and for all later requests. */
export function enterToken(given: string): void {
  token = given;
  tokenRequest.value = 'none';
  entered.resolve();
  entered = Promise.withResolvers();
}

/** The kit could not be reached. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** The control API refused a request. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;
  /** What is wrong with the request, with the JSON pointer of each value. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title ?? 'The kit refused the request.');
    this.problem = problem;
    this.errors = (problem.errors ?? []) as unknown as typeof this.errors;
  }
}

/**
 * Sends a request to the kit. If the kit needs its control token, waits until the token is entered.
 * @throws Unreachable if there is no response
 */
export async function send(request: Request): Promise<Response> {
  const used = token;
  const headers = new Headers(request.headers);
  if (used !== undefined) headers.set('x-control-token', used);
  const response = await fetch(new Request(request.clone(), { headers })).catch((cause: unknown) => {
    if (request.signal.aborted) throw cause;
    throw new Unreachable('The kit does not answer. Start it again, or wait: the console connects by itself.', { cause });
  });
  if (response.status !== 401) return response;
  if (token === used) {
    tokenRequest.value = used === undefined ? 'needed' : 'wrong';
    await entered.promise;
  }
  return send(request);
}

/** The typed client of the control API. Use `dataOf` to get the data of a response. */
export const control = createClient<paths>({ baseUrl: kitUrl, headers: { 'content-type': 'application/json' }, fetch: send });

/** Returns the data of a response. @throws Refused with the problem, if the request was refused */
export async function dataOf<Data>(call: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Exclude<Data, undefined>> {
  const { data, error, response } = await call;
  if (response.ok) return data as Exclude<Data, undefined>;
  const problem = typeof error === 'object' && error !== null ? (error as Problem) : undefined;
  throw new Refused(problem ?? ({ title: `The kit answered ${response.status}.`, status: response.status } as Problem));
}
