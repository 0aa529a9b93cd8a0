import { UsageError } from '../control-client/errors.ts';

/** @param method the tool that needs a client */
export const createMissingClientError = (method: 'mint' | 'login'): UsageError =>
  new UsageError(
    `The world has no ready-made tokens, so pass a client of the world to ${method}: { client: … }. An empty world has no clients: create one, or another world.`,
  );

/** The authorization server refused an authorization request or a token request. */
export class LoginError extends Error {
  override readonly name = 'LoginError';
  /** The OAuth error, such as `access_denied`. */
  readonly error: string;
  readonly description: string;

  constructor(request: string, error: string, description: string) {
    super(`The authorization server refused the ${request} with ${error}: ${description}`);
    this.error = error;
    this.description = description;
  }
}

/** A wait timed out. The message says what happened instead. */
export class WaitError extends Error {
  override readonly name = 'WaitError';
}
