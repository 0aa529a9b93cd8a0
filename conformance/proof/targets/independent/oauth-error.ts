import { randomBytes } from 'node:crypto';

/** An error from the token endpoint: both an RFC 6749 error and problem details. */
export class OAuthError extends Error {
  readonly status: number;

  constructor(code: string) {
    super(code);
    this.status = code === 'invalid_client' ? 401 : 400;
  }

  body(): Record<string, unknown> {
    return { error: this.message, title: 'No token', status: this.status, traceId: randomBytes(16).toString('hex') };
  }
}
