import { randomBytes } from 'node:crypto';

/** An error of the token endpoint. Its body has the members of RFC 6749 and those of problem details. */
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
