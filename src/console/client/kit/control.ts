import { signal } from '@preact/signals';
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../contract/generated/control.ts';
import {
  type Caller,
  type ControlOperationId,
  callOperation,
  type OperationResponse,
  type OperationValues,
} from '../../../control-client/call.ts';

export type Schemas = components['schemas'];
export type JournalEntry = Schemas['JournalEntry'];
export type Operation = Schemas['ServiceOperation'];
export type Problem = Schemas['Problem'];
export type Subscription = Schemas['SubscriptionInForce'];

/** The console's path, such as `/_console`, with any prefix that a proxy adds. */
export const consolePath = new URL('..', import.meta.url).pathname.replace(/\/$/, '');
/** The base URL of the world that this console shows. */
export const kitUrl = new URL('../..', import.meta.url).href.replace(/\/$/, '');
/** The base URL of the kit's first world, whose control API has the other worlds. */
export const rootUrl = kitUrl.replace(/\/w\/[^/]+$/, '');

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

export class RefusedError extends Error {
  readonly problem: Problem;
  /** Each pointer is a JSON pointer to a wrong value. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];

  constructor(problem: Problem) {
    const text = problem.detail ?? problem.title ?? 'The kit refused the request.';
    // The detail of a failure of the kit refers to the trace id, by which its log can be searched.
    super(problem.status >= 500 && problem.traceId ? `${text} Trace id: ${problem.traceId}` : text);
    this.problem = problem;
    this.errors = (problem.errors ?? []) as unknown as typeof this.errors;
  }
}

/** The ids of the changes that this page made to the world and has not undone, oldest first. */
export const ownChanges: string[] = [];

/**
 * If necessary, waits until the user enters the control token.
 * @throws Error if there is no response
 */
export async function sendRequest(request: Request): Promise<Response> {
  const used = token;
  const headers = new Headers(request.headers);
  headers.set('xpk-undoable', 'true');
  if (used !== undefined) headers.set('x-control-token', used);
  const response = await fetch(new Request(request.clone(), { headers })).catch((cause: unknown) => {
    throw new Error('The kit does not respond. Start it again, or wait: the console reconnects automatically.', { cause });
  });
  const change = response.headers.get('xpk-change');
  if (change !== null) ownChanges.push(change);
  if (response.status !== 401) return response;
  if (token === used) {
    tokenRequest.value = used === undefined ? 'needed' : 'wrong';
    await tokenEntered.promise;
  }
  return sendRequest(request);
}

const client = createClient<paths>({
  baseUrl: kitUrl,
  headers: { 'content-type': 'application/json' },
  fetch: sendRequest,
});
const WORLDS_PATH = /^\/_control\/(ended\/)?worlds\b/;
/** Returns each response's text, because not every operation returns JSON. */
const send = (method: 'get' | 'put' | 'post' | 'delete' | 'patch') => (path: never, init: object) =>
  client.request(method as never, path, { ...init, parseAs: 'text', ...(WORLDS_PATH.test(path) && { baseUrl: rootUrl }) } as never);
const textClient: Caller = { GET: send('get'), PUT: send('put'), POST: send('post'), DELETE: send('delete'), PATCH: send('patch') };

/**
 * Calls an operation of the control API.
 * @returns the response's JSON, or its text if it has another content type
 * @throws RefusedError if the request was refused
 */
export async function call<Id extends ControlOperationId>(
  id: Id,
  ...[values = {} as OperationValues<Id>]: object extends OperationValues<Id> ? [OperationValues<Id>?] : [OperationValues<Id>]
): Promise<OperationResponse<Id>> {
  const { data, error, response } = await callOperation(textClient, id, values);
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  if (response.ok) return (isJson ? JSON.parse(String(data)) : data) as OperationResponse<Id>;
  const problem = typeof error === 'object' && error !== null ? (error as Problem) : undefined;
  throw new RefusedError(problem ?? ({ title: `The kit responded with ${response.status}.`, status: response.status } as Problem));
}
