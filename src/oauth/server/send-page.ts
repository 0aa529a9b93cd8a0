import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { OAuthError } from './oauth-error.ts';
import { refusalPage } from './page.ts';
import { STYLE_SOURCE } from './page-style.ts';

/** Whether a person is likely to read the answer: browsers ask for HTML by name, programs do not. */
export function wantsPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

/**
 * The pages run nothing and load nothing. No `form-action`: browsers apply it to the redirects that follow, and these end at the client. The referrer
 * stays within the kit, yet is there, for with `no-referrer` browsers would not tell the Origin of the form either.
 */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_SOURCE}; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

export function sendPage(res: ServerResponse, status: number, html: string, headers: OutgoingHttpHeaders = {}): void {
  if (res.headersSent || res.destroyed) return;
  const body = Buffer.from(html);
  res.writeHead(status, { ...headers, ...HEADERS, 'Content-Length': body.length }).end(body);
}

/** For somebody who cannot be sent back to the client: it is not known, or not where it says it is. */
export function sendRefusalPage(res: ServerResponse, { status, headers = {}, ...error }: OAuthError): void {
  sendPage(res, status, refusalPage(error), headers);
}
