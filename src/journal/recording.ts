import type { IncomingHttpHeaders } from 'node:http';
import type { Fingerprint } from '../clock/fingerprint.ts';
import type { ResponseCause } from '../contract/failure.ts';
import type { JournalEntry, Recorded } from './journal.ts';
import { KeptBody } from './kept-body.ts';
import { type OauthFacts, redirectFacts, requestFacts, tokenRequestFacts, tokenResponseFacts } from './oauth-facts.ts';
import { operationOf } from './operation-of.ts';
import { cursorIn, cursorOf, problemIn, problemInLocation } from './response-facts.ts';
import { withoutSecretHeaders, withoutSecretsInBody, withoutSecretsInTarget } from './secrets.ts';

/** The interface that received a request: the API, the authorization server or the control API. */
export type Door = JournalEntry['door'];

const BEARER = /^Bearer /i;
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
  readonly connection?: OpenedConnection | undefined;
}

/** A connection, with its number since the start of the process. `openedAt` is a value of `performance.now()`. */
export interface OpenedConnection {
  readonly number: number;
  readonly openedAt: number;
}

/** The data of a valid access token. `expiresAt` is kit time. */
interface TokenData {
  readonly fingerprint: string;
  readonly clientId: string;
  readonly principalId: string | undefined;
  readonly scopes: ReadonlySet<string>;
  readonly expiresAt: number;
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
  /** The access token. Undefined if the token is not valid. */
  token: TokenData | undefined = undefined;
  readonly #connection: OpenedConnection | undefined;
  /** The Authorization header of a request to the service. It is replaced by a fingerprint when the response is closed. */
  #authorization: string | undefined = undefined;
  #fingerprint: string | undefined = undefined;
  readonly #fingerprintOf: Fingerprint;
  #oauth: OauthFacts | undefined = undefined;
  /** The cursor at the end of a page that is too large to be kept. */
  #cutCursor: string | null | undefined = undefined;
  readonly #at: number;
  readonly #startedAt: number;
  #durationMs = 0;
  #settled = false;
  readonly #headers: Record<string, string>;
  #request: KeptBody | undefined = undefined;
  #response: KeptBody | undefined = undefined;

  constructor({ traceId, at, startedAt, door, method, target, headers, connection }: RequestStart, fingerprint: Fingerprint) {
    this.#fingerprintOf = fingerprint;
    this.traceId = traceId;
    this.method = method;
    this.path = withoutSecretsInTarget(target);
    this.door = door;
    this.#at = at;
    this.#startedAt = startedAt;
    this.#headers = withoutSecretHeaders(headers);
    this.#connection = connection;
    const { authorization } = headers;
    if (door === 'authorization') this.#oauth = requestFacts(target, authorization);
    else this.#authorization = authorization;
  }

  get operationId(): string | undefined {
    return operationOf(this.method, this.route);
  }

  get credentials(): readonly (string | undefined)[] {
    const { fingerprint, clientId, principalId } = this.#credential() ?? {};
    return [fingerprint, clientId, principalId, this.#oauthFacts()?.clientId];
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
    if (this.door === 'service') {
      if (this.#response.isCut) this.#cutCursor = cursorIn(body);
      return;
    }
    this.#oauth = { ...this.#oauth, ...tokenResponseFacts(this.#response.text, this.#fingerprintOf) };
    this.#response.clean((text) => withoutSecretsInBody(text, 'any', true));
  }

  /** Records the redirect to the client that the response contains, if it contains one. */
  redirected(location: string): void {
    this.problem = problemInLocation(location);
    this.#oauth = { ...this.#oauth, ...redirectFacts(location, this.#fingerprintOf) };
  }

  /** Removes the secrets of the request. Call this function when the request and its response are complete. */
  completeRequest(): void {
    if (this.door === 'authorization') this.#oauth = this.#oauthFacts();
    this.#fingerprint = this.#tokenFingerprint();
    this.#authorization = undefined;
    this.#settled = true;
    this.#request?.clean((text) => this.#cleaned(text));
  }

  /** Returns the fingerprint of the token. A valid token has its fingerprint already, because a client sends the same token many times. */
  #tokenFingerprint(): string | undefined {
    if (this.#authorization === undefined) return this.#fingerprint;
    return this.token?.fingerprint ?? this.#fingerprintOf(this.#authorization.replace(BEARER, ''));
  }

  release(): void {
    this.#request?.release();
    this.#response?.release();
  }

  #cleaned(text: string): string {
    const { 'content-encoding': coding = 'identity', 'content-type': type = '' } = this.#headers;
    if (coding !== 'identity') return `[not kept: the body is encoded as ${coding}]`;
    return withoutSecretsInBody(text, FORM.test(type) ? 'form' : 'any', this.door !== 'service');
  }

  get #wasAltered(): boolean {
    return this.cause?.evidence?.cause === 'fault' && this.cause.evidence.fault.fault === 'altered-state';
  }

  #oauthFacts(): OauthFacts | undefined {
    if (this.#wasAltered && this.#oauth?.issued) return { ...this.#oauth, issued: { ...this.#oauth.issued, alteredState: true } };
    const isForm = this.operationId === 'token' && FORM.test(this.#headers['content-type'] ?? '');
    const isUnread = isForm && !this.#settled && this.#request !== undefined;
    return isUnread ? tokenRequestFacts(this.#request!.text, this.#fingerprintOf, this.#oauth) : this.#oauth;
  }

  #credential(): JournalEntry['credential'] {
    const tokenFingerprint = this.#tokenFingerprint();
    if (tokenFingerprint === undefined) return undefined;
    const evidence = this.cause?.evidence;
    const refused = evidence?.cause === 'token' ? evidence : undefined;
    const { clientId, principalId, scopes, expiresAt } = this.token ?? refused?.token ?? {};
    return {
      fingerprint: tokenFingerprint,
      ...(clientId !== undefined && { clientId }),
      ...(principalId !== undefined && { principalId }),
      ...(scopes && { scopes: [...scopes] }),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
      ...(refused && { problem: refused.problem }),
    };
  }

  entry(number: number): JournalEntry {
    const response = this.#response?.shown();
    const nextCursor = this.#cutCursor === undefined ? cursorOf(response?.body) : this.#cutCursor;
    const oauth = this.#oauthFacts();
    const request = { headers: this.#headers, ...this.#request?.shown((text) => (this.#settled ? text : this.#cleaned(text))) };
    return {
      ...this.summary(number),
      ...(oauth && Object.keys(oauth).length > 0 && { oauth }),
      ...(nextCursor !== undefined && { nextCursor }),
      request,
      ...(response && { response }),
    };
  }

  /** Parses the response body only if it has the problem, because the list of a busy kit is read often. */
  summary(number: number): JournalEntry {
    const credential = this.#credential();
    const { operationId, status, step } = this;
    const problem = this.problem ?? (status !== undefined && status >= 400 ? problemIn(status, this.#response?.shown().body) : undefined);
    return {
      number,
      traceId: this.traceId,
      at: new Date(this.#at).toISOString(),
      arrivedMs: performance.timeOrigin + this.#startedAt,
      door: this.door,
      ...(this.#connection && {
        connection: { number: this.#connection.number, ageMs: this.#startedAt - this.#connection.openedAt },
      }),
      method: this.method,
      path: this.path,
      ...(operationId !== undefined && { operationId }),
      ...(credential && { credential }),
      ...(status !== undefined && { status }),
      ...(step !== undefined && { step }),
      durationMs: Math.round(this.#durationMs * 1_000) / 1_000,
      ...(problem && { problem }),
    };
  }
}
