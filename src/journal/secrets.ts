export const REDACTED = '[redacted]';
const NOT_KEPT = '[not kept: it may hold a secret]';

/** Names of parameters and members with secret values, without case and separators: `client_secret` equals `clientSecret`. */
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
/** Text that does not match has none of these names, however its JSON is escaped. */
const MENTION = /secret|assertion|code|hint|password|token|key|\\u/i;
/** A secret inside a value, such as the code in a redirect_uri. */
const NESTED = /(?:secret|assertion|code|code_?verifier|login_?hint|password|token|api[_-]?key)(?:=|%(?:25)*3d)/i;
const PLAIN_NAME = /^[\w.~[\]-]{0,64}$/;
/** A query that does not match has no secrets. Checked for every request, so it has to be fast. */
const SUSPICIOUS = /secret|assertion|code|verifier|hint|password|token|key|(?:^|&)(?:[^=&]*[^\w.~[\]=&-]|[^=&]{65})/i;
const SECRET_HEADER = /authorization|cookie|token|secret|password|assertion|api-?key/;
/** The scheme of an Authorization header is not secret. */
const SCHEME = /^(?:Basic|Bearer|DPoP) /i;

const isSecret = (name: string): boolean => SECRETS.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''));

/** A query or form-encoded body with its secret values replaced. The rest is unchanged. */
export function withoutSecretPairs(text: string): string {
  return SUSPICIOUS.test(text) ? text.split('&').map(withoutSecret).join('&') : text;
}

function withoutSecret(pair: string): string {
  const at = pair.indexOf('=');
  const written = at < 0 ? pair : pair.slice(0, at);
  const name = PLAIN_NAME.test(written) ? written : decoded(written);
  // Without a valid name this may be the secret itself, or another format.
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

/** A request target without the secrets of its query. */
export function withoutSecretsInTarget(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : `${target.slice(0, at + 1)}${withoutSecretPairs(target.slice(at + 1))}`;
}

export type BodyForm = 'form' | 'any';

/**
 * A body without its secrets. A body that mentions one and is neither JSON nor a form is not kept.
 *
 * @param careful for bodies that usually have secrets: they are parsed even if they mention none, and only kept if they can be parsed.
 */
export function withoutSecretsInBody(text: string, form: BodyForm, careful: boolean): string {
  // Not UTF-8: JSON may come in UTF-16.
  if (text.includes('\0')) return NOT_KEPT;
  if (form === 'form') return withoutSecretPairs(text);
  if (!careful && !MENTION.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text, (name: string, value: unknown) => (isSecret(name) ? REDACTED : value)));
  } catch {
    return NOT_KEPT;
  }
}

/** Headers as in Node, without credentials. `Authorization` keeps its scheme. */
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
