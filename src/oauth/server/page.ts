import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { STYLE, STYLE_SOURCE } from './page-style.ts';

/** The contents of the login and consent page. */
export interface LoginPage {
  readonly client: { readonly name: string; readonly provider: string };
  /** The requested scopes with their descriptions for the user. */
  readonly scopes: readonly { readonly scope: string; readonly description: string }[];
  /** The phone number in the login_hint of the request; undefined without a login_hint. */
  readonly telephoneNumber: string | undefined;
  /**
   * The principals who can approve the request, with the accounts that each principal can access. The suggested principal is selected when
   * the page opens.
   */
  readonly principals: readonly {
    readonly id: string;
    readonly name: string;
    readonly telephoneNumber: string | undefined;
    readonly accounts: readonly { readonly name: string; readonly level: 'read' | 'manage' }[];
    readonly suggested: boolean;
  }[];
  /**
   * The path to which the form is sent. The field `answer` is `approve` or `deny`. The field `principal` is the id of the selected
   * principal.
   */
  readonly action: string;
}

/** Returns the HTML of the page on which the user selects a principal and approves or denies the request. */
export function loginPage({ client, scopes, telephoneNumber, principals, action }: LoginPage): string {
  return htmlDocument({
    title: `${client.name} asks for access`,
    body: `<h1>${text(client.name)} asks for access</h1>
<p>An application of ${text(client.provider)}. It wants to:</p>
<ul class="scopes">
${scopes.map(({ scope, description }) => `<li>${text(description)} <code>${text(scope)}</code></li>`).join('\n')}
</ul>
<form method="post" action="${text(action)}">
${telephoneNumber === undefined ? '' : number(telephoneNumber)}${principals.length === 0 ? NO_PRINCIPALS : picker(principals)}
<p class="answers">${principals.length === 0 ? '' : APPROVE}<button type="submit" name="answer" value="deny" formnovalidate>Deny</button></p>
</form>`,
  });
}

/** This button must be the first button of the form, so that Enter approves. */
const APPROVE = '<button class="approve" type="submit" name="answer" value="approve">Approve</button>\n';
const NO_PRINCIPALS = '<p><strong>Nobody can approve:</strong> this world has no principals.</p>';

const number = (telephoneNumber: string): string => `<label class="name" for="number">Phone number to use with the Experience</label>
<input id="number" type="tel" value="${text(telephoneNumber)}" readonly>
`;

const picker = (principals: LoginPage['principals']): string => `<fieldset>
<legend>Log in as</legend>
${principals.map(choice).join('\n')}
</fieldset>`;

function choice({ id, name, telephoneNumber = '', accounts, suggested }: LoginPage['principals'][number]): string {
  const input = `<input type="radio" name="principal" value="${text(id)}" required${suggested ? ' checked' : ''}>`;
  const may = accounts.map((account) => `${account.level}s ${account.name}`).join(' · ') || 'has no accounts';
  return `<label class="choice">${input}<span>${text(name)}</span> <small>${text(telephoneNumber)}</small> <small class="may">${text(may)}</small></label>`;
}

export function refusalPage(error: string, description: string): string {
  return htmlDocument({
    title: 'This request cannot be served',
    body: `<h1>This request cannot be served</h1>
<p>${text(description)}</p>
<p class="last"><code>${text(error)}</code></p>`,
  });
}

/** The icon of the pages: a dot. If the page had no icon, browsers would request an icon from the kit. */
const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Ccircle cx='8' cy='8' r='7' fill='%235b6fe0'/%3E%3C/svg%3E";

const LOGIN_NOTE = '<strong>This is no real login.</strong> It is the page of a local kit for development: nobody is asked for a password.';

/** Returns a complete HTML document. `title` is plain text. `body` and `note` are HTML, and `note` is placed above `body`. */
export function htmlDocument({ title, body, note = LOGIN_NOTE }: { title: string; body: string; note?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)}</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Escapes text for HTML, also in quoted attribute values. */
export const text = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);

/** Returns whether the client accepts an HTML page. Browsers send text/html in the Accept header, and most programs do not. */
export function wantsPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

/**
 * The policy forbids scripts and external resources. The policy has no `form-action`, because browsers would also apply it to the redirect
 * to the client. The referrer policy is not `no-referrer`, because browsers would then send `Origin: null` with the form.
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
