import type { IncomingHttpHeaders } from 'node:http';
import type { ResponseCause } from '../contract/failure.ts';
import type { JournalEntry, Recorded } from './journal.ts';
import { KeptBody } from './kept-body.ts';
import { operationOf } from './operation-of.ts';
import { withoutSecretHeaders, withoutSecretsInBody, withoutSecretsInTarget } from './secrets.ts';

/** The interface that received a request: the API, the authorization server or the control API. */
export type Door = JournalEntry['door'];

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The facts that are known when a request arrives. `at` is kit time. `startedAt` is a value of `performance.now()`. */
export interface RequestStart {
  readonly traceId: string;
  readonly at: number;
  readonly startedAt: number;
  readonly door: Door;
  readonly method: string;
  /** The request target with its query, unchanged. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Collects the facts about one request for its journal entry. Every request has a recording, so for speed the recording builds the entry
 * only when the entry is read. Secrets are removed immediately.
 */
export class Recording implements Recorded {
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  readonly door: Door;
  status: number | undefined = undefined;
  /** The last pipeline step that the request reached. */
  step: string | undefined = undefined;
  /** The Express route, such as `/users/:userId`; undefined until the response is sent. */
  route: string | undefined = undefined;
  isInJournal = false;
  /** The cause of a refusal, of an injected fault or of an empty result. Undefined for any other response. */
  cause: ResponseCause | undefined = undefined;
  /** The problem or OAuth error of the response. Undefined if the response body contains the problem or error. */
  problem: JournalEntry['problem'] = undefined;
  readonly #at: number;
  readonly #startedAt: number;
  #durationMs = 0;
  #settled = false;
  readonly #headers: Record<string, string>;
  #request: KeptBody | undefined = undefined;
  #response: KeptBody | undefined = undefined;

  constructor({ traceId, at, startedAt, door, method, target, headers }: RequestStart) {
    this.traceId = traceId;
    this.method = method;
    this.path = withoutSecretsInTarget(target);
    this.door = door;
    this.#at = at;
    this.#startedAt = startedAt;
    this.#headers = withoutSecretHeaders(headers);
  }

  get operationId(): string | undefined {
    return operationOf(this.method, this.route);
  }

  addRequestChunk(chunk: Buffer): void {
    this.#request ??= new KeptBody();
    this.#request.add(chunk);
  }

  /**
   * Adds the response, or records that there was none. Removes secrets from the response body, unless the service sent the response:
   * responses of the service contain no secrets.
   */
  ended(status: number | undefined, body: string | Uint8Array | undefined, endedAt: number): void {
    this.isInJournal = true;
    this.status = status;
    this.#durationMs = endedAt - this.#startedAt;
    if (body === undefined || body.length === 0) return;
    this.#response = new KeptBody();
    this.#response.add(body);
    if (this.door !== 'service') this.#response.clean((text) => withoutSecretsInBody(text, 'any', true));
  }

  /** Removes the secrets from the request body. Call this function when the request body is complete. */
  completeRequest(): void {
    this.#settled = true;
    this.#request?.clean((text) => this.#cleaned(text));
  }

  #cleaned(text: string): string {
    const { 'content-encoding': coding = 'identity', 'content-type': type = '' } = this.#headers;
    if (coding !== 'identity') return `[not kept: the body is encoded as ${coding}]`;
    return withoutSecretsInBody(text, FORM.test(type) ? 'form' : 'any', this.door !== 'service');
  }

  entry(number: number): JournalEntry {
    const response = this.#response?.shown();
    const problem = this.problem ?? problemIn(this.status, response?.body);
    const { operationId, status, step } = this;
    return {
      number,
      traceId: this.traceId,
      at: new Date(this.#at).toISOString(),
      door: this.door,
      method: this.method,
      path: this.path,
      ...(operationId !== undefined && { operationId }),
      ...(status !== undefined && { status }),
      ...(step !== undefined && { step }),
      durationMs: Math.round(this.#durationMs * 1_000) / 1_000,
      ...(problem && { problem }),
      request: { headers: this.#headers, ...this.#request?.shown((text) => (this.#settled ? text : this.#cleaned(text))) },
      ...(response && { response }),
    };
  }
}

/** Returns the OAuth error in the address of a redirect to the client (RFC 6749, section 4.1.2.1). */
export function problemInLocation(location: string): JournalEntry['problem'] {
  // A redirect to a path without a host leads to a page of the kit, so it contains no error for the client.
  if (!URL.canParse(location)) return undefined;
  const { searchParams } = new URL(location);
  const [error, description] = [searchParams.get('error'), searchParams.get('error_description')];
  return error === null ? undefined : { title: error, ...(description !== null && { detail: description }) };
}

/** Returns the problem document or OAuth error in a response body. */
function problemIn(status: number | undefined, body: unknown): JournalEntry['problem'] {
  if (status === undefined || status < 400 || typeof body !== 'object' || body === null) return undefined;
  const { type, title, detail, error, error_description: description } = body as Readonly<Record<string, unknown>>;
  const [name, explanation] = typeof title === 'string' ? [title, detail] : [error, description];
  if (typeof name !== 'string') return undefined;
  return { ...(typeof type === 'string' && { type }), title: name, ...(typeof explanation === 'string' && { detail: explanation }) };
}
