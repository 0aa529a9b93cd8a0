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
export const GENERIC_FAILURE = 'The request failed for a reason on our side. Try again later.';

/** An error response, which any code that handles a request can throw. */
export class Problem extends Error {
  readonly status: number;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  readonly headers: Record<string, string>;

  /** The body contains `errors` only if `reason` is given, and `detail` only if `detail` is given. */
  constructor(status: number, reason?: string, detail?: string, headers: Record<string, string> = {}) {
    super(TITLES[status] ?? 'Error');
    this.status = status;
    this.reason = reason;
    this.detail = detail;
    this.headers = headers;
  }

  body(): Record<string, unknown> {
    return {
      ...(this.status < 500 ? { type: `urn:problem:${this.message.toLowerCase().replaceAll(' ', '-')}` } : {}),
      title: this.message,
      status: this.status,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      traceId: randomBytes(16).toString('hex'),
      ...(this.reason === undefined ? {} : { errors: [{ reason: this.reason }] }),
      help: 'none',
    };
  }
}
