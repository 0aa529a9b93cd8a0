import type { IncomingHttpHeaders } from 'node:http';
import type { Fingerprint } from '../clock/fingerprint.ts';
import type { ResponseCause } from '../contract/failure.ts';
import { findOperation } from './find-operation.ts';
import type { JournalEntry, RecordedRequest } from './journal.ts';
import { KeptBody } from './kept-body.ts';
import { type OauthFacts, readRedirectFacts, readRequestFacts, readTokenRequestFacts, readTokenResponseFacts } from './oauth-facts.ts';
import { findCursor, findProblem, findProblemInLocation, getCursor } from './response-facts.ts';
import { redactBody, redactHeaders, redactTarget } from './secrets.ts';

export type CalledApi = JournalEntry['door'];

const BEARER_PATTERN = /^Bearer /i;
const FORM_PATTERN = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** `at` is kit time. `startedAt` is a `performance.now()` value. */
export interface RequestStart {
  readonly traceId: string;
  readonly at: number;
  readonly startedAt: number;
  readonly door: CalledApi;
  readonly method: string;
  /** The unchanged request target, with its query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly connection?: OpenedConnection | undefined;
}

/** `number` counts the process's connections, from 1. `openedAt` is a `performance.now()` value. */
export interface OpenedConnection {
  readonly number: number;
  readonly openedAt: number;
}

/** `expiresAt` is kit time. */
interface TokenData {
  readonly fingerprint: string;
  readonly clientId: string;
  readonly principalId: string | undefined;
  readonly scopes: ReadonlySet<string>;
  readonly expiresAt: number;
}

/** Collects a journal entry's data. Removes secrets as soon as the data is complete. */
export class Recording implements RecordedRequest {
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  readonly door: CalledApi;
  status: number | undefined = undefined;
  step: string | undefined = undefined;
  /** The Express route, such as `/users/:userId`. Undefined until the response is sent. */
  route: string | undefined = undefined;
  isInJournal = false;
  cause: ResponseCause | undefined = undefined;
  /** The problem or OAuth error, if the response body does not contain it. */
  problem: JournalEntry['problem'] = undefined;
  /** The access token; undefined if it is not valid. */
  token: TokenData | undefined = undefined;
  readonly #connection: OpenedConnection | undefined;
  /** The Authorization header, until `completeRequest` replaces it with a fingerprint. */
  #authorization: string | undefined = undefined;
  #fingerprint: string | undefined = undefined;
  readonly #fingerprintOf: Fingerprint;
  #oauth: OauthFacts | undefined = undefined;
  /** The cursor in the response body, if the recorded body is truncated. */
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
    this.path = redactTarget(target);
    this.door = door;
    this.#at = at;
    this.#startedAt = startedAt;
    this.#headers = redactHeaders(headers);
    this.#connection = connection;
    const { authorization } = headers;
    if (door === 'authorization') this.#oauth = readRequestFacts(target, authorization);
    else this.#authorization = authorization;
  }

  get operationId(): string | undefined {
    return findOperation(this.method, this.route);
  }

  get credentials(): readonly (string | undefined)[] {
    const { fingerprint, clientId, principalId } = this.#credential() ?? {};
    return [fingerprint, clientId, principalId, this.#oauthFacts()?.clientId];
  }

  addRequestChunk(chunk: Buffer): void {
    this.#request ??= new KeptBody();
    this.#request.add(chunk);
  }

  /** Keeps a service response as it is, because it contains no secrets. */
  endResponse(status: number | undefined, body: string | Uint8Array | undefined, endedAt: number): void {
    this.isInJournal = true;
    this.status = status;
    this.#durationMs = endedAt - this.#startedAt;
    if (body === undefined || body.length === 0) return;
    this.#response = new KeptBody();
    this.#response.add(body);
    if (this.door === 'service') {
      if (this.#response.isCut) this.#cutCursor = findCursor(body);
      return;
    }
    this.#oauth = { ...this.#oauth, ...readTokenResponseFacts(this.#response.text, this.#fingerprintOf) };
    this.#response.cleanText((text) => redactBody(text, 'any', true));
  }

  /** Saves the problem, the OAuth facts and the response, and returns a function that restores them. */
  prepareUndo(): () => void {
    const [problem, oauth, response] = [this.problem, this.#oauth, this.#response];
    return () => {
      [this.problem, this.#oauth, this.#response] = [problem, oauth, response];
    };
  }

  recordRedirect(location: string): void {
    this.problem = findProblemInLocation(location);
    this.#oauth = { ...this.#oauth, ...readRedirectFacts(location, this.#fingerprintOf) };
  }

  /** Removes the request's secrets. Must be called after the response is closed. */
  completeRequest(): void {
    if (this.door === 'authorization') this.#oauth = this.#oauthFacts();
    this.#fingerprint = this.#tokenFingerprint();
    this.#authorization = undefined;
    this.#settled = true;
    this.#request?.cleanText((text) => this.#cleaned(text));
  }

  /** Reuses a valid token's fingerprint, for speed. */
  #tokenFingerprint(): string | undefined {
    if (this.#authorization === undefined) return this.#fingerprint;
    return this.token?.fingerprint ?? this.#fingerprintOf(this.#authorization.replace(BEARER_PATTERN, ''));
  }

  release(): void {
    this.#request?.release();
    this.#response?.release();
  }

  #cleaned(text: string): string {
    const { 'content-encoding': coding = 'identity', 'content-type': type = '' } = this.#headers;
    if (coding !== 'identity') return `[not recorded: the body is encoded as ${coding}]`;
    return redactBody(text, FORM_PATTERN.test(type) ? 'form' : 'any', this.door !== 'service');
  }

  get #wasAltered(): boolean {
    return this.cause?.evidence?.cause === 'fault' && this.cause.evidence.fault.fault === 'altered-state';
  }

  #oauthFacts(): OauthFacts | undefined {
    if (this.#wasAltered && this.#oauth?.issued) return { ...this.#oauth, issued: { ...this.#oauth.issued, alteredState: true } };
    const isForm = this.operationId === 'token' && FORM_PATTERN.test(this.#headers['content-type'] ?? '');
    const isUnread = isForm && !this.#settled && this.#request !== undefined;
    return isUnread ? readTokenRequestFacts(this.#request!.text, this.#fingerprintOf, this.#oauth) : this.#oauth;
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

  buildEntry(number: number): JournalEntry {
    const response = this.#response?.toBodyMembers();
    const nextCursor = this.#cutCursor === undefined ? getCursor(response?.body) : this.#cutCursor;
    const oauth = this.#oauthFacts();
    const request = { headers: this.#headers, ...this.#request?.toBodyMembers((text) => (this.#settled ? text : this.#cleaned(text))) };
    return {
      ...this.buildSummary(number),
      ...(oauth && Object.keys(oauth).length > 0 && { oauth }),
      ...(nextCursor !== undefined && { nextCursor }),
      request,
      ...(response && { response }),
    };
  }

  /** For speed, parses the response body only if it is an error. */
  buildSummary(number: number): JournalEntry {
    const credential = this.#credential();
    const { operationId, status, step } = this;
    const problem =
      this.problem ?? (status !== undefined && status >= 400 ? findProblem(status, this.#response?.toBodyMembers().body) : undefined);
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
