import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { STYLE_SHEET, STYLE_SOURCE } from './page-style.ts';

export interface LoginPage {
  readonly client: { readonly name: string; readonly provider: string };
  readonly scopes: readonly { readonly scope: string; readonly description: string }[];
  /** Undefined without a login_hint. */
  readonly telephoneNumber: string | undefined;
  readonly principals: readonly {
    readonly id: string;
    readonly name: string;
    readonly telephoneNumber: string | undefined;
    readonly accounts: readonly { readonly name: string; readonly level: 'read' | 'manage' }[];
    readonly suggested: boolean;
  }[];
  /** The path to which the form is sent, with the fields `answer` and `principal`. */
  readonly action: string;
}

export function formatLoginPage({ client, scopes, telephoneNumber, principals, action }: LoginPage): string {
  return formatHtmlDocument({
    title: `${client.name} asks for access`,
    body: `<h1>${escapeHtml(client.name)} asks for access</h1>
<p>An application from ${escapeHtml(client.provider)} wants to:</p>
<ul class="scopes">
${scopes.map(({ scope, description }) => `<li>${escapeHtml(description)} <code>${escapeHtml(scope)}</code></li>`).join('\n')}
</ul>
<form method="post" action="${escapeHtml(action)}">
${telephoneNumber === undefined ? '' : formatNumberField(telephoneNumber)}${principals.length === 0 ? NO_PRINCIPALS_NOTICE : formatPrincipals(principals)}
<p class="answers">${principals.length === 0 ? '' : APPROVE_BUTTON}<button type="submit" name="answer" value="deny" formnovalidate>Deny</button></p>
</form>`,
  });
}

/** This must be the form's first button, so that Enter approves. */
const APPROVE_BUTTON = '<button class="approve" type="submit" name="answer" value="approve">Approve</button>\n';
const NO_PRINCIPALS_NOTICE = '<p><strong>The request cannot be approved:</strong> this world has no principals.</p>';

const formatNumberField = (
  telephoneNumber: string,
): string => `<label class="name" for="number">Phone number to use with the Experience</label>
<input id="number" type="tel" value="${escapeHtml(telephoneNumber)}" readonly>
`;

const formatPrincipals = (principals: LoginPage['principals']): string => `<fieldset>
<legend>Log in as</legend>
${principals.map(formatChoice).join('\n')}
</fieldset>`;

function formatChoice({ id, name, telephoneNumber = '', accounts, suggested }: LoginPage['principals'][number]): string {
  const input = `<input type="radio" name="principal" value="${escapeHtml(id)}" required${suggested ? ' checked' : ''}>`;
  const may = accounts.map((account) => `${account.level}s ${account.name}`).join(' · ') || 'has no accounts';
  return `<label class="choice">${input}<span>${escapeHtml(name)}</span> <small>${escapeHtml(telephoneNumber)}</small> <small class="may">${escapeHtml(may)}</small></label>`;
}

export function formatRefusalPage(error: string, description: string): string {
  return formatHtmlDocument({
    title: 'This request was refused',
    body: `<h1>This request was refused</h1>
<p>${escapeHtml(description)}</p>
<p class="last"><code>${escapeHtml(error)}</code></p>`,
  });
}

/** Without an icon, browsers would request one from the kit. */
const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Ccircle cx='8' cy='8' r='7' fill='%235b6fe0'/%3E%3C/svg%3E";

const LOGIN_NOTE = '<strong>This is not a real login.</strong> It is the login page of a local kit for development, and needs no password.';

/** `title` is plain text. `body` and `note` are HTML. */
export function formatHtmlDocument({ title, body, note = LOGIN_NOTE }: { title: string; body: string; note?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
<style>${STYLE_SHEET}</style>
</head>
<body>
<main>
<p class="note">${note}</p>
${body}
</main>
</body>
</html>
`;
}

const HTML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => HTML_ENTITIES[character] as string);

export function acceptsHtml({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  // There is no `form-action`, because it would also apply to the redirect to the client.
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_SOURCE}; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin', // With `no-referrer`, browsers would send `Origin: null` with the form.
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

export function sendPage(res: ServerResponse, status: number, html: string, headers: OutgoingHttpHeaders = {}): void {
  if (res.headersSent || res.destroyed) return;
  const body = Buffer.from(html);
  res.writeHead(status, { ...headers, ...PAGE_HEADERS, 'Content-Length': body.length }).end(body);
}
