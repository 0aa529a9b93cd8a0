import type { IncomingHttpHeaders } from 'node:http';
import type { ResponseCause } from '../contract/failure.ts';
import type { JournalEntry, Recorded } from './journal.ts';
import { KeptBody } from './kept-body.ts';
import { operationOf } from './operation-of.ts';
import { withoutSecretHeaders, withoutSecretsInBody, withoutSecretsInTarget } from './secrets.ts';

export type Door = JournalEntry['door'];

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** What a recording begins with. Times: `at` in kit time, `startedAt` as `performance.now()` tells it. */
export interface Begun {
  readonly traceId: string;
  readonly at: number;
  readonly startedAt: number;
  readonly door: Door;
  readonly method: string;
  /** As it was sent, with its query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** A request on its way, then in the journal. It is made for every request: what can wait for a reader waits. Secrets cannot. */
export class Recording implements Recorded {
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  readonly door: Door;
  status: number | undefined = undefined;
  /** How far it came through the pipeline of the service. */
  step: string | undefined = undefined;
  /** Of Express, such as `/users/:userId`; known when the answer goes out. */
  route: string | undefined = undefined;
  /** Whether it is in the journal. */
  over = false;
  /** Why it got its response, unless it plainly succeeded. */
  cause: ResponseCause | undefined = undefined;
  /** The problem where the body of the answer does not say it. */
  problem: JournalEntry['problem'] = undefined;
  readonly #at: number;
  readonly #startedAt: number;
  #durationMs = 0;
  #settled = false;
  readonly #headers: Record<string, string>;
  #request: KeptBody | undefined = undefined;
  #response: KeptBody | undefined = undefined;

  constructor({ traceId, at, startedAt, door, method, target, headers }: Begun) {
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

  /** A part of the request's body. */
  incoming(chunk: Buffer): void {
    this.#request ??= new KeptBody();
    this.#request.add(chunk);
  }

  /** Its end, with an answer or without. Secrets leave by the authorization server's door alone. */
  ended(status: number | undefined, body: string | Uint8Array | undefined, endedAt: number): void {
    this.over = true;
    this.status = status;
    this.#durationMs = endedAt - this.#startedAt;
    if (body === undefined || body.length === 0) return;
    this.#response = new KeptBody();
    this.#response.add(body);
    if (this.door !== 'service') this.#response.clean((text) => withoutSecretsInBody(text, 'any', true));
  }

  /** Nothing more comes: what is left of the body is without secrets from here on. */
  settle(): void {
    this.#settled = true;
    this.#request?.clean((text) => this.#cleaned(text));
  }

  #cleaned(text: string): string {
    const { 'content-encoding': coding = 'identity', 'content-type': type = '' } = this.#headers;
    if (coding !== 'identity') return `[not kept: it is encoded as ${coding}]`;
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

/** The OAuth error that a redirect takes to the client (RFC 6749, section 4.1.2.1). */
export function problemInLocation(location: string): JournalEntry['problem'] {
  // A path alone leads to the kit's own pages.
  if (!URL.canParse(location)) return undefined;
  const { searchParams } = new URL(location);
  const [error, description] = [searchParams.get('error'), searchParams.get('error_description')];
  return error === null ? undefined : { title: error, ...(description !== null && { detail: description }) };
}

/** The problem document, or the OAuth error, that the answer is. */
function problemIn(status: number | undefined, body: unknown): JournalEntry['problem'] {
  if (status === undefined || status < 400 || typeof body !== 'object' || body === null) return undefined;
  const { type, title, detail, error, error_description: description } = body as Readonly<Record<string, unknown>>;
  const [said, explained] = typeof title === 'string' ? [title, detail] : [error, description];
  if (typeof said !== 'string') return undefined;
  return { ...(typeof type === 'string' && { type }), title: said, ...(typeof explained === 'string' && { detail: explained }) };
}
