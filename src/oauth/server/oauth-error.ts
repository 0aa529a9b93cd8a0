import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AuthorizationContext } from './context.ts';

/** An error of RFC 6749, sections 4.1.2.1 and 5.2. */
export interface OAuthError {
  readonly status: number;
  readonly error: string;
  /** A sentence. Never repeats what was sent: it may be a secret. */
  readonly description: string;
  /** A command that solves the problem, with its introduction. */
  readonly remedy?: { readonly text: string; readonly command: string } | undefined;
  readonly headers?: OutgoingHttpHeaders;
}

export const invalidRequest = (description: string): OAuthError => ({ status: 400, error: 'invalid_request', description });

export const isOAuthError = (value: object): value is OAuthError => 'error' in value && 'description' in value;

/** Replaces the characters that an error_description must not have (RFC 6749, section 5.2): it is printable ASCII without " and \\. */
export function describable(text: string): string {
  return text
    .replaceAll(/[“”"]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll('\\', '/');
}

/** Sends an error in the format of OAuth or of the API (decision oauth.error-body). Does nothing if a response has begun. */
export function sendOAuthError(
  { decisions, sendProblem }: Pick<AuthorizationContext, 'decisions' | 'sendProblem'>,
  res: ServerResponse,
  { status, error, remedy, headers = {}, ...rest }: OAuthError,
): void {
  if (res.headersSent || res.destroyed) return;
  const description = remedy ? `${rest.description} ${remedy.text} ${remedy.command}` : rest.description;
  const all = { ...headers, 'Cache-Control': 'no-store', Pragma: 'no-cache' };
  if (decisions['oauth.error-body'] === 'problem') {
    const title = `${STATUS_CODES[status] ?? 'Refused'} (${error})`;
    sendProblem(res, { id: 'oauth.error-body', status, title, detail: description }, all);
    return;
  }
  const body = Buffer.from(JSON.stringify({ error, error_description: describable(description) }));
  res.writeHead(status, { ...all, 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
}
