import type { OAuthError } from './oauth-error.ts';
import { STYLE } from './page-style.ts';

/** What the login and consent page shows. */
export interface LoginPage {
  /** Who asks. */
  readonly client: { readonly name: string; readonly provider: string };
  /** For what: each scope with a sentence for the person who is asked. */
  readonly scopes: readonly { readonly scope: string; readonly words: string }[];
  /** The phone number of login_hint; undefined where none was given. */
  readonly telephoneNumber: string | undefined;
  readonly principals: readonly PrincipalChoice[];
  /** What was wrong with the form as it was sent before, if anything. */
  readonly problem: string | undefined;
  /** The path that the form is posted to. */
  readonly action: string;
}

/** Somebody who may approve. */
export interface PrincipalChoice {
  readonly id: string;
  readonly name: string;
  readonly telephoneNumber: string | undefined;
  /** What the person may do with which account, such as `manage`. */
  readonly accounts: readonly { readonly name: string; readonly level: 'read' | 'manage' }[];
  /** The one that the telephone number means: chosen when the page opens. */
  readonly suggested: boolean;
}

/** The fields that the form posts. `principal` is the id of a choice; it is needed for an approval only. */
export const FIELDS = { principal: 'principal', answer: 'answer', approve: 'approve', deny: 'deny' } as const;

/** The page where a person says who they are and whether the client may. Pure: the same data gives the same HTML. */
export function loginPage({ client, scopes, telephoneNumber, principals, problem, action }: LoginPage): string {
  return htmlDocument({
    title: `${client.name} asks for access`,
    body: `<h1>${text(client.name)} asks for access</h1>
<p>An application of ${text(client.provider)}. It wants to:</p>
<ul class="scopes">
${scopes.map(({ scope, words }) => `<li>${text(words)} <code>${text(scope)}</code></li>`).join('\n')}
</ul>
${problem === undefined ? '' : `<p class="problem" role="alert">${text(problem)}</p>\n`}<form method="post" action="${text(action)}">
${telephoneNumber === undefined ? '' : number(telephoneNumber)}${principals.length === 0 ? NOBODY : picker(principals)}
<p class="answers">${principals.length === 0 ? '' : APPROVE}<button type="submit" name="${FIELDS.answer}" value="${FIELDS.deny}" formnovalidate>Deny</button></p>
</form>`,
  });
}

/** The first button of the form, so that Enter means it. */
const APPROVE = `<button class="approve" type="submit" name="${FIELDS.answer}" value="${FIELDS.approve}">Approve</button>\n`;
const NOBODY = '<p><strong>Nobody can approve:</strong> this world has no principals.</p>';

const number = (telephoneNumber: string): string => `<label class="name" for="number">Phone number to use with the Experience</label>
<input id="number" type="tel" value="${text(telephoneNumber)}" readonly>
`;

const picker = (principals: readonly PrincipalChoice[]): string => `<fieldset>
<legend>Log in as</legend>
${principals.map(choice).join('\n')}
</fieldset>`;

function choice({ id, name, telephoneNumber, accounts, suggested }: PrincipalChoice): string {
  const input = `<input type="radio" name="${FIELDS.principal}" value="${text(id)}" required${suggested ? ' checked' : ''}>`;
  const own = telephoneNumber === undefined ? '' : ` <small>${text(telephoneNumber)}</small>`;
  const may = (['manage', 'read'] as const).flatMap((level) =>
    accounts.filter((account) => account.level === level).map((account) => `${level}s ${account.name}`),
  );
  return `<label class="choice">${input}<span>${text(name)}</span>${own} <small class="may">${text(may.join(' · ') || 'has no accounts')}</small></label>`;
}

/** What somebody sees who cannot be sent back to the client. */
export function refusalPage({ error, description, remedy }: Pick<OAuthError, 'error' | 'description' | 'remedy'>): string {
  const command = remedy ? `<p>${text(remedy.text)}<code class="command">${text(remedy.command)}</code></p>\n` : '';
  return htmlDocument({
    title: 'This request cannot be served',
    body: `<h1>This request cannot be served</h1>\n<p>${text(description)}</p>\n${command}<p class="last"><code>${text(error)}</code></p>`,
  });
}

/** A dot, so that browsers do not ask the kit for an icon. */
const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Ccircle cx='8' cy='8' r='7' fill='%235b6fe0'/%3E%3C/svg%3E";

const LOGIN_NOTE = '<strong>This is no real login.</strong> It is the page of a local kit for development: nobody is asked for a password.';

/** A complete page. `body` and `note`, which is shown above it, are HTML; `title` is plain text. */
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
/** Escapes text for HTML, also for values of quoted attributes. */
export const text = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
