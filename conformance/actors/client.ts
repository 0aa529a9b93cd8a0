import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type OperationId, operations, type PathForm } from '../../src/contract/generated/operations.ts';
import type { Answer } from './exchange.ts';
import { textOf } from './text-of.ts';

/** One call of an operation. */
export interface Call {
  /** Absent: no Authorization header. */
  readonly token?: string | undefined;
  readonly path?: Readonly<Record<string, string>>;
  /** A list gives the parameter once for each of its items. */
  readonly query?: Readonly<Record<string, string | number | undefined | readonly (string | number)[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The path form, if not that of the check. */
  readonly form?: PathForm;
}

export interface ClientSettings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly form: PathForm;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Waits until the next request may be sent, where the target may be sent only so many. */
  readonly pace?: (() => Promise<void>) | undefined;
  /** Told of every exchange: what a failed check shows. */
  readonly record: (operationId: OperationId, answer: Answer) => void;
}

/** Calls operations of the target under one path form. Redirects are not followed. A stray 429 is waited out and the call repeated, unless told otherwise. */
export interface Client {
  readonly form: PathForm;
  call(operationId: OperationId, call?: Call): Promise<Answer>;
  /** Exactly once, whatever comes back. */
  once(operationId: OperationId, call?: Call): Promise<Answer>;
  urlOf(operationId: OperationId, call?: Call): string;
  /** Refuses further calls, and waits until those under way are answered and whoever made them has seen the answer. */
  finish(): Promise<void>;
}

const PATIENCE = [300, 600, 1100, 2100];

export function createClient(settings: ClientSettings): Client {
  const { baseUrl, form, record } = settings;
  const underWay = new Set<Promise<unknown>>();
  let finished = false;

  function urlOf(operationId: OperationId, { path = {}, query = {}, form: asked = form }: Call = {}): string {
    const template = operations[operationId].forms[asked];
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const search = Object.entries(query)
      .flatMap(([name, value = []]) => [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`))
      .join('&');
    return `${baseUrl}${filled}${search && `?${search}`}`;
  }

  async function once(operationId: OperationId, call: Call = {}): Promise<Answer> {
    await settings.pace?.();
    if (finished) throw new Error(`the check has ended: ${operationId} is not called any more`);
    const answering = send(operations[operationId].method.toUpperCase(), urlOf(operationId, call), call, settings);
    underWay.add(answering);
    try {
      const answer = await answering;
      record(operationId, answer);
      return answer;
    } finally {
      underWay.delete(answering);
    }
  }

  return {
    form,
    urlOf,
    once,
    async finish() {
      finished = true;
      await Promise.allSettled(underWay);
      await new Promise((resolve) => setImmediate(resolve));
    },
    async call(operationId, call) {
      for (const wait of PATIENCE) {
        const answer = await once(operationId, call);
        if (answer.status !== 429) return answer;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
      return once(operationId, call);
    },
  };
}

/** Sends one request as it is. Redirects are not followed. */
export function send(
  method: string,
  url: string,
  { token, body, rawBody, headers }: Call,
  settings: Pick<ClientSettings, 'headers' | 'timeoutMs'>,
): Promise<Answer> {
  const requestBody = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const requestHeaders: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    ...(requestBody !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(requestBody)) }),
    ...settings.headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  };
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: requestHeaders }, (response) => {
      textOf(response).then((text) => {
        clearTimeout(deadline);
        const flat = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve({ method, url, requestHeaders, requestBody, status: response.statusCode ?? 0, headers: flat, text, json: parse(text) });
      }, refuse);
    });
    // A signal of its own for each call would cost as much as the call.
    const deadline = setTimeout(() => {
      const late = new Error(`there was no whole answer within ${settings.timeoutMs} ms`);
      sent.destroy(late);
      // After an upgrade nobody asked for the request tells nothing any more.
      refuse(late);
    }, settings.timeoutMs);
    const refuse = (error: Error) => {
      clearTimeout(deadline);
      reject(new Error(`${method} ${url}: ${error.message}`));
    };
    sent.on('error', refuse);
    sent.end(requestBody);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
