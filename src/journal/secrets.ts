export const REDACTED = '[redacted]';
const NOT_KEPT = '[not kept: it may hold a secret]';

/**
 * Names of parameters and members with secret values. The names are in lower case and without separators: `clientsecret` matches
 * `client_secret` and `clientSecret`.
 */
const SECRETS = new Set([
  'accesstoken',
  'apikey',
  'assertion',
  'clientassertion',
  'clientsecret',
  'code',
  'codeverifier',
  'idtoken',
  'loginhint',
  'password',
  'refreshtoken',
  'secret',
  'token',
]);
/** If a JSON text does not match this pattern, it contains no name of a secret, even in escaped form. Such a text need not be parsed. */
const MENTION = /secret|assertion|code|hint|password|token|key|\\u/i;
/** Matches a secret parameter inside the value of another parameter, such as the code in the query of a redirect_uri. */
const NESTED = /(?:secret|assertion|code|code_?verifier|login_?hint|password|token|api[_-]?key)(?:=|%(?:25)*3d)/i;
const PLAIN_NAME = /^[\w.~[\]-]{0,64}$/;
/** If a query does not match this pattern, it contains no secrets. Every request is tested, so the pattern must be fast. */
const SUSPICIOUS = /secret|assertion|code|verifier|hint|password|token|key|(?:^|&)(?:[^=&]*[^\w.~[\]=&-]|[^=&]{65})/i;
const SECRET_HEADER = /authorization|cookie|token|secret|password|assertion|api-?key/;
/** The authentication scheme at the start of an Authorization header. The scheme is not a secret, so the journal shows the scheme. */
const SCHEME = /^(?:Basic|Bearer|DPoP) /i;

const isSecret = (name: string): boolean => SECRETS.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''));

/** Replaces the secret values in a query or a form-encoded body. All other characters are unchanged. */
export function withoutSecretPairs(text: string): string {
  return SUSPICIOUS.test(text) ? text.split('&').map(withoutSecret).join('&') : text;
}

function withoutSecret(pair: string): string {
  const at = pair.indexOf('=');
  const written = at < 0 ? pair : pair.slice(0, at);
  const name = PLAIN_NAME.test(written) ? written : decoded(written);
  // A pair without a plain name may be a secret, or text in another format that contains a secret, so the whole pair is replaced.
  if (name === undefined || !PLAIN_NAME.test(name)) return REDACTED;
  if (at < 0) return pair;
  return isSecret(name) || NESTED.test(pair.slice(at + 1)) ? `${written}=${REDACTED}` : pair;
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Replaces the secret values in the query of a request target. */
export function withoutSecretsInTarget(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : `${target.slice(0, at + 1)}${withoutSecretPairs(target.slice(at + 1))}`;
}

export type BodyForm = 'form' | 'any';

/**
 * Replaces the secret values in a body. If a body contains the name of a secret but is neither JSON nor a form, a note replaces the whole
 * body.
 * @param careful true for bodies that usually contain secrets. Such a body is parsed even if it contains no name of a secret. If parsing
 * fails, a note replaces the body.
 */
export function withoutSecretsInBody(text: string, form: BodyForm, careful: boolean): string {
  // A NUL character means that the body is not UTF-8. The body may be JSON in UTF-16, in which secrets cannot be found.
  if (text.includes('\0')) return NOT_KEPT;
  if (form === 'form') return withoutSecretPairs(text);
  if (!careful && !MENTION.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text, (name: string, value: unknown) => (isSecret(name) ? REDACTED : value)));
  } catch {
    return NOT_KEPT;
  }
}

/** Replaces the credentials in headers, except for the scheme of an Authorization header. */
export function withoutSecretHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name in headers) {
    const value = String(headers[name]);
    if (SECRET_HEADER.test(name)) shown[name] = `${SCHEME.exec(value)?.[0] ?? ''}${REDACTED}`;
    else if (name === 'referer') shown[name] = withoutSecretsInTarget(value);
    else shown[name] = value;
  }
  return shown;
}
