import type { IncomingHttpHeaders } from 'node:http';
import type { Fingerprint } from '../clock/fingerprint.ts';
import type { ResponseCause } from '../contract/failure.ts';
import { gates } from '../contract/generated/gates.ts';
import type { JournalEntry, RecordedRequest } from './entry.ts';
import { findOperation } from './find-operation.ts';
import type { ForwardedResponse } from './forwarded-response.ts';
import { KeptBody } from './kept-body.ts';
import { describeAccessToken, readOauthFacts } from './oauth-facts.ts';
import { findCursor, findProblem, findProblemInLocation, getCursor } from './response-facts.ts';
import { redactBody, redactHeaders, redactTarget } from './secrets.ts';

export type CalledApi = JournalEntry['door'];

/** `number` counts the process's connections, from 1. `openedAt` is a `performance.now()` value. */
export interface OpenedConnection {
  readonly number: number;
  readonly openedAt: number;
}

/** What the pipeline has found out about a request. */
export interface Conclusion {
  readonly step?: string | undefined;
  /** The access token; undefined if it is not valid. `expiresAt` is kit time. */
  readonly token?:
    | {
        readonly fingerprint: string;
        readonly clientId: string;
        readonly principalId: string | undefined;
        readonly scopes: ReadonlySet<string>;
        readonly expiresAt: number;
      }
    | undefined;
  readonly cause?: ResponseCause | undefined;
}

/** The members without secrets. */
export interface RequestFacts {
  readonly traceId: string;
  /** Kit time. */
  readonly at: number;
  /** `performance.now()` values. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly door: CalledApi;
  readonly connection?: OpenedConnection | undefined;
  readonly method: string;
  /** The Express route, such as `/users/:userId`. */
  readonly route?: string | undefined;
  /** Undefined if the connection ended without a response. */
  readonly status: number | undefined;
  readonly conclusion?: Conclusion | undefined;
  /** The problem, if neither the response's body nor its redirect contains it. */
  readonly problem?: JournalEntry['problem'];
}

/** The members that may contain secrets. */
export interface RequestParts {
  /** The unchanged request target, with its query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** May still be arriving. */
  readonly requestBody?: KeptBody | undefined;
  readonly responseBody?: string | Uint8Array | undefined;
  /** The address of a redirect. */
  readonly location?: string | undefined;
  /** Instead of `responseBody` and `location`: a response that a proxy has passed on. */
  readonly forwarded?: ForwardedResponse | undefined;
}

const BEARER_PATTERN = /^Bearer /i;
const FORM_PATTERN = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Returns a body that removes its secrets. */
export function createRequestBody(headers: IncomingHttpHeaders, door: CalledApi): KeptBody {
  const { 'content-encoding': coding = 'identity', 'content-type': type = '' } = headers;
  return new KeptBody((text) =>
    coding === 'identity'
      ? redactBody(text, FORM_PATTERN.test(type) ? 'form' : 'any', door !== 'service')
      : `[not recorded: the body is encoded as ${coding}]`,
  );
}

/** Why a proxy cut its response, which therefore contains no problem. */
function findCut({ conclusion }: RequestFacts): JournalEntry['problem'] {
  const { reason, detail } = conclusion?.cause?.failure ?? {};
  if (reason !== 'proxy.cut') return undefined;
  return { type: `/problems/${reason}`, title: gates[reason].title, ...(detail !== undefined && { detail }) };
}

/** A request without its secrets. Builds its journal entry only when somebody reads the entry. */
export class RequestRecord implements RecordedRequest {
  readonly path: string;
  readonly #facts: RequestFacts;
  readonly #headers: Record<string, string>;
  readonly #tokenFingerprint: string | undefined;
  /** What a token says that only the target of a proxy can verify. */
  readonly #unverifiedToken: JournalEntry['credential'];
  readonly #oauth: JournalEntry['oauth'];
  readonly #problem: JournalEntry['problem'];
  /** The cursor in the response body, if the recorded body is truncated. */
  readonly #cutCursor: string | null | undefined;
  readonly #request: KeptBody | undefined;
  readonly #response: KeptBody | undefined;
  readonly #responseHeaders: Readonly<Record<string, string>> | undefined;

  constructor(facts: RequestFacts, parts: RequestParts, fingerprint: Fingerprint) {
    const { door, conclusion } = facts;
    const { target, headers, requestBody, responseBody = '', forwarded, location = forwarded?.location } = parts;
    const { authorization } = headers;
    this.#facts = facts;
    this.path = redactTarget(target);
    this.#headers = redactHeaders(headers);
    this.#request = requestBody;
    this.#response = forwarded?.body;
    this.#responseHeaders = forwarded?.headers;
    if (responseBody.length > 0) {
      this.#response = new KeptBody(door === 'service' ? undefined : (text) => redactBody(text, 'any', true));
      this.#response.add(responseBody);
    }
    if (door === 'authorization') {
      const isForm = this.operationId === 'token' && FORM_PATTERN.test(headers['content-type'] ?? '');
      const form = isForm ? requestBody?.rawText || undefined : undefined;
      const evidence = conclusion?.cause?.evidence;
      const isStateAltered = evidence?.cause === 'fault' && evidence.fault.fault === 'altered-state';
      this.#oauth = readOauthFacts(
        { target, authorization, form, responseBody: this.#response?.rawText, location, isStateAltered },
        fingerprint,
      );
      this.#problem = location === undefined ? undefined : findProblemInLocation(location);
      this.#response?.settle();
    } else {
      // A valid token's fingerprint is known already.
      const token = authorization?.replace(BEARER_PATTERN, '');
      if (token !== undefined && forwarded) this.#unverifiedToken = describeAccessToken(token, fingerprint);
      if (token !== undefined)
        this.#tokenFingerprint = conclusion?.token?.fingerprint ?? this.#unverifiedToken?.fingerprint ?? fingerprint(token);
      if (this.#response?.isCut) this.#cutCursor = forwarded ? forwarded.cutCursor : findCursor(responseBody);
    }
  }

  get traceId(): string {
    return this.#facts.traceId;
  }

  get method(): string {
    return this.#facts.method;
  }

  get status(): number | undefined {
    return this.#facts.status;
  }

  get cause(): ResponseCause | undefined {
    return this.#facts.conclusion?.cause;
  }

  get operationId(): string | undefined {
    return findOperation(this.#facts.method, this.#facts.route);
  }

  get credentials(): readonly (string | undefined)[] {
    const { fingerprint, clientId, principalId } = this.#credential() ?? {};
    return [fingerprint, clientId, principalId, this.#oauth?.clientId];
  }

  release(): void {
    this.#request?.release();
    this.#response?.release();
  }

  #credential(): JournalEntry['credential'] {
    const tokenFingerprint = this.#tokenFingerprint;
    if (tokenFingerprint === undefined || this.#unverifiedToken) return this.#unverifiedToken;
    const evidence = this.cause?.evidence;
    const refused = evidence?.cause === 'token' ? evidence : undefined;
    const { clientId, principalId, scopes, expiresAt } = this.#facts.conclusion?.token ?? refused?.token ?? {};
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
    const body = this.#response?.toBodyMembers();
    const response = this.#responseHeaders ? { headers: this.#responseHeaders, ...body } : body;
    const nextCursor = this.#cutCursor === undefined ? getCursor(response?.body) : this.#cutCursor;
    return {
      ...this.buildSummary(number),
      ...(this.#oauth && { oauth: this.#oauth }),
      ...(nextCursor !== undefined && { nextCursor }),
      request: { headers: this.#headers, ...this.#request?.toBodyMembers() },
      ...(response && { response }),
    };
  }

  /** For speed, parses the response body only if it is an error. */
  buildSummary(number: number): JournalEntry {
    const { traceId, at, startedAt, endedAt, door, connection, method, status, conclusion } = this.#facts;
    const { operationId, path } = this;
    const credential = this.#credential();
    const isError = status !== undefined && status >= 400;
    const problem =
      this.#problem ??
      this.#facts.problem ??
      findCut(this.#facts) ??
      (isError ? findProblem(status, this.#response?.toBodyMembers()?.body) : undefined);
    return {
      number,
      traceId,
      at: new Date(at).toISOString(),
      arrivedMs: performance.timeOrigin + startedAt,
      door,
      ...(connection && { connection: { number: connection.number, ageMs: startedAt - connection.openedAt } }),
      method,
      path,
      ...(operationId !== undefined && { operationId }),
      ...(credential && { credential }),
      ...(status !== undefined && { status }),
      ...(conclusion?.step !== undefined && { step: conclusion.step }),
      durationMs: Math.round((endedAt - startedAt) * 1_000) / 1_000,
      ...(problem && { problem }),
    };
  }
}
