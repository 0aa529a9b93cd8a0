import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AuthorizationContext } from './context.ts';

/** An error of RFC 6749, sections 4.1.2.1 and 5.2. */
export interface OAuthError {
  readonly status: number;
  readonly error: string;
  /** What was wrong, in a sentence. Never what was sent: it may be a secret. */
  readonly description: string;
  /** A command that solves the problem, after a sentence that introduces it. */
  readonly remedy?: { readonly text: string; readonly command: string } | undefined;
  readonly headers?: OutgoingHttpHeaders;
}

export const invalidRequest = (description: string): OAuthError => ({ status: 400, error: 'invalid_request', description });

export const isOAuthError = (value: object): value is OAuthError => 'error' in value && 'description' in value;

/** The characters of an error_description (RFC 6749, section 5.2): printable ASCII without the double quote and the backslash. */
export function describable(text: string): string {
  return text
    .replaceAll(/[“”"]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll('\\', '/');
}

/** Answers with an error, as OAuth tells it or as the API does (decision oauth.error-body). Does nothing where an answer has begun. */
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
