export const REDACTED = '[redacted]';
const NOT_KEPT_NOTE = '[not recorded: may contain a secret]';

/** Names of secret parameters and members, in lower case without separators: `clientsecret` matches `client_secret` and `clientSecret`. */
const SECRET_NAMES = new Set([
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
/** JSON text that does not match contains no secret's name, not even an escaped one, so the text need not be parsed. */
const SECRET_MENTION_PATTERN = /secret|assertion|code|hint|password|token|key|\\u/i;
/** Matches a secret parameter inside another parameter's value, such as a code in the query of a redirect_uri. */
const NESTED_SECRET_PATTERN = /(?:secret|assertion|code|code_?verifier|login_?hint|password|token|api[_-]?key)(?:=|%(?:25)*3d)/i;
const PLAIN_NAME_PATTERN = /^[\w.~[\]-]{0,64}$/;
/** A query that does not match contains no secrets. The pattern must be fast, because it is applied to every request. */
const SUSPICIOUS_QUERY_PATTERN = /secret|assertion|code|verifier|hint|password|token|key|(?:^|&)(?:[^=&]*[^\w.~[\]=&-]|[^=&]{65})/i;
const SECRET_HEADER_PATTERN = /authorization|cookie|token|secret|password|assertion|api-?key/;
/** An Authorization header's scheme is not secret. */
const SCHEME_PATTERN = /^(?:Basic|Bearer|DPoP) /i;

const isSecret = (name: string): boolean => SECRET_NAMES.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''));

/** Replaces the secret values in a query or a form-encoded body. All other characters are unchanged. */
export function redactPairs(text: string): string {
  return SUSPICIOUS_QUERY_PATTERN.test(text) ? text.split('&').map(redactPair).join('&') : text;
}

function redactPair(pair: string): string {
  const at = pair.indexOf('=');
  const written = at < 0 ? pair : pair.slice(0, at);
  const name = PLAIN_NAME_PATTERN.test(written) ? written : decodeName(written);
  // If a pair has no plain name, a secret may be anywhere in the pair, so the whole pair is replaced.
  if (name === undefined || !PLAIN_NAME_PATTERN.test(name)) return REDACTED;
  if (at < 0) return pair;
  return isSecret(name) || NESTED_SECRET_PATTERN.test(pair.slice(at + 1)) ? `${written}=${REDACTED}` : pair;
}

function decodeName(name: string): string | undefined {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Replaces the secret values in a request target's query. */
export function redactTarget(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : `${target.slice(0, at + 1)}${redactPairs(target.slice(at + 1))}`;
}

export type BodyForm = 'form' | 'any';

/**
 * Replaces the secret values in a body. If the body contains a secret's name but is neither JSON nor a form, a note replaces the whole
 * body.
 * @param isSecretLikely true for bodies that usually contain secrets: a note replaces any body that cannot be parsed
 */
export function redactBody(text: string, form: BodyForm, isSecretLikely: boolean): string {
  // A NUL character means another encoding, such as UTF-16, in which secrets cannot be found.
  if (text.includes('\0')) return NOT_KEPT_NOTE;
  if (form === 'form') return redactPairs(text);
  if (!isSecretLikely && !SECRET_MENTION_PATTERN.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text, (name: string, value: unknown) => (isSecret(name) ? REDACTED : value)));
  } catch {
    return NOT_KEPT_NOTE;
  }
}

/** Replaces the credentials in headers. Keeps the scheme of an Authorization header. */
export function redactHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const redacted: Record<string, string> = {};
  for (const name in headers) {
    const value = String(headers[name]);
    if (SECRET_HEADER_PATTERN.test(name)) redacted[name] = `${SCHEME_PATTERN.exec(value)?.[0] ?? ''}${REDACTED}`;
    else if (name === 'referer') redacted[name] = redactTarget(value);
    else redacted[name] = value;
  }
  return redacted;
}
