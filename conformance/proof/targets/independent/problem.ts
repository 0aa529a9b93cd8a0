import { randomBytes } from 'node:crypto';

const TITLES: Record<number, string> = {
  400: 'The request cannot be understood',
  401: 'Sign in first',
  403: 'Not permitted',
  404: 'Nothing here',
  405: 'Wrong method',
  409: 'Conflict with the current state',
  422: 'The data is not valid',
  429: 'Too many requests',
  500: 'Something failed',
  503: 'Temporarily out of service',
};

/** The `detail` in every 500 response. */
const GENERIC_FAILURE = 'The request failed for a reason on our side. Try again later.';

const createTraceId = (): string => randomBytes(16).toString('hex');

/** An error response, which any code that handles a request can throw. The body contains `errors` only if `reason` is given. */
export class Problem extends Error {
  readonly contentType = 'application/problem+json';
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly #reason: string | undefined;

  constructor(status: number, reason?: string, headers: Record<string, string> = {}) {
    super(TITLES[status] ?? 'Error');
    this.status = status;
    this.headers = headers;
    this.#reason = reason;
  }

  body(): object {
    return {
      ...(this.status < 500 && { type: `urn:problem:${this.message.toLowerCase().replaceAll(' ', '-')}` }),
      title: this.message,
      status: this.status,
      ...(this.status === 500 && { detail: GENERIC_FAILURE }),
      traceId: createTraceId(),
      ...(this.#reason !== undefined && { errors: [{ reason: this.#reason }] }),
      help: 'none',
    };
  }
}

/** An error from the token endpoint: both an RFC 6749 error and problem details. */
export class OAuthError extends Error {
  readonly contentType = 'application/json';
  readonly status: number;
  readonly headers = {};

  constructor(code: 'invalid_client' | 'invalid_grant' | 'invalid_request' | 'unsupported_grant_type') {
    super(code);
    this.status = code === 'invalid_client' ? 401 : 400;
  }

  body(): object {
    return { error: this.message, title: 'No token', status: this.status, traceId: createTraceId() };
  }
}
