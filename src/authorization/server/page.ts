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
  return document(
    `${client.name} asks for access`,
    `<h1>${text(client.name)} asks for access</h1>
<p>${text(client.name)} is an application of ${text(client.provider)}. It asks to:</p>
<ul>
${scopes.map(({ scope, words }) => `<li>${text(words)} <code>${text(scope)}</code></li>`).join('\n')}
</ul>
${problem === undefined ? '' : `<p role="alert"><strong>${text(problem)}</strong></p>`}
<form method="post" action="${text(action)}">
<p><label for="number">Phone number to use with the Experience</label><br>
<input id="number" type="tel" value="${text(telephoneNumber ?? '')}" readonly></p>
<fieldset>
<legend>Log in as</legend>
${principals.map(choice).join('\n')}
</fieldset>
<p><button type="submit" name="${FIELDS.answer}" value="${FIELDS.approve}">Approve</button>
<button type="submit" name="${FIELDS.answer}" value="${FIELDS.deny}">Deny</button></p>
</form>`,
  );
}

function choice({ id, name, telephoneNumber, accounts, suggested }: PrincipalChoice): string {
  const details = [
    telephoneNumber,
    ...accounts.map((account) => `${account.level === 'manage' ? 'manages' : 'reads'} ${account.name}`),
  ].filter((detail) => detail !== undefined);
  return `<p><label><input type="radio" name="${FIELDS.principal}" value="${text(id)}"${suggested ? ' checked' : ''}> ${text(name)}</label>${
    details.length > 0 ? `<br><small>${text(details.join(', '))}</small>` : ''
  }</p>`;
}

/** What somebody sees who cannot be sent back to the client. */
export function refusalPage({ error, description }: { readonly error: string; readonly description: string }): string {
  return document(
    'This request cannot be served',
    `<h1>This request cannot be served</h1>\n<p>${text(description)}</p>\n<p><code>${text(error)}</code></p>`,
  );
}

function document(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem }</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** For text and for values of attributes in quotes. */
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
