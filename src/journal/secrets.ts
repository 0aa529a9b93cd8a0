import type { IncomingHttpHeaders } from 'node:http';

const REDACTED = '[redacted]';
const NOT_KEPT_NOTE = '[not recorded: may contain a secret]';

/** The names of members and parameters with secret values, in lower case and without separators. */
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
/** Matches every JSON text that may contain one of `SECRET_NAMES`, so that only these texts are parsed. */
const SECRET_MENTION_PATTERN = /secret|assertion|code|hint|password|token|key|\\u/i;
/** Matches a secret inside another parameter's value, such as a redirect_uri's query. */
const NESTED_SECRET_PATTERN = /(?:secret|assertion|code|code_?verifier|login_?hint|password|token|api[_-]?key)(?:=|%(?:25)*3d)/i;
const PLAIN_NAME_PATTERN = /^[\w.~[\]-]{0,64}$/;
/** Matches every query that may contain a secret. Runs on every request, so it must be fast. */
const SUSPICIOUS_QUERY_PATTERN = /secret|assertion|code|verifier|hint|password|token|key|(?:^|&)(?:[^=&]*[^\w.~[\]=&-]|[^=&]{65})/i;
const SECRET_HEADER_PATTERN = /authorization|cookie|token|secret|password|assertion|api-?key/;
/** An Authorization header's scheme is not secret. */
const SCHEME_PATTERN = /^(?:Basic|Bearer|DPoP) /i;

/** The first part is limited, so that a text without a JWT cannot make the search slow. */
const JWT_PATTERN = /\beyJ[\w-]{8,1000}\.[\w-]+\.[\w-]*/g;
/** A shorter value, such as that of a cookie `theme=dark`, is no secret. */
const MIN_SECRET_LENGTH = 8;

const isSecret = (name: string): boolean => SECRET_NAMES.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''));

export function redactPairs(text: string): string {
  return SUSPICIOUS_QUERY_PATTERN.test(text) ? text.split('&').map(redactPair).join('&') : text;
}

function redactPair(pair: string): string {
  const at = pair.indexOf('=');
  const written = at < 0 ? pair : pair.slice(0, at);
  const name = PLAIN_NAME_PATTERN.test(written) ? written : decodeName(written);
  // An unusual name may itself contain a secret, so the whole pair is replaced.
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

export function redactTarget(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : `${target.slice(0, at + 1)}${redactPairs(target.slice(at + 1))}`;
}

export type BodyForm = 'form' | 'any';

/**
 * Replaces a body's secret values, or the whole body if it may contain a secret but cannot be parsed.
 * @param isSecretLikely whether to parse the body even if it does not match `SECRET_MENTION_PATTERN`
 */
export function redactBody(text: string, form: BodyForm, isSecretLikely: boolean): string {
  // NUL suggests another encoding, such as UTF-16, in which secrets cannot be found.
  if (text.includes('\0')) return NOT_KEPT_NOTE;
  if (form === 'form') return redactPairs(text);
  if (!isSecretLikely && !SECRET_MENTION_PATTERN.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text, (name: string, value: unknown) => (isSecret(name) ? REDACTED : value)));
  } catch {
    return NOT_KEPT_NOTE;
  }
}

/** Removes all JWTs from what a server returned, which may send them anywhere, and what `redactRepeated` removes. */
export const redactSent = (text: string, request: IncomingHttpHeaders): string => redactSecrets(text, listSecrets(request));

/** Removes the values of a request's secret headers from a response, which may repeat them. */
export const redactRepeated = (text: string, request: IncomingHttpHeaders): string => redactParts(text, listSecrets(request));

const redactSecrets = (text: string, secrets: readonly string[]): string =>
  text.length < MIN_SECRET_LENGTH ? text : redactParts(text.replaceAll(JWT_PATTERN, REDACTED), secrets);
const redactParts = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((redacted, secret) => redacted.replaceAll(secret, REDACTED), text);

function listSecrets(request: IncomingHttpHeaders): string[] {
  const secrets: string[] = [];
  for (const name in request) {
    if (!SECRET_HEADER_PATTERN.test(name)) continue;
    // A client may use a scheme that nobody knows.
    const value = String(request[name]).replace(name === 'authorization' ? /^\S+ +/ : SCHEME_PATTERN, '');
    const parts = name === 'cookie' ? value.split(/; */).map((pair) => pair.slice(pair.indexOf('=') + 1)) : [value];
    for (const part of parts) if (part.length >= MIN_SECRET_LENGTH) secrets.push(part);
  }
  return secrets;
}

export function redactResponseHeaders(headers: Readonly<Record<string, string>>, request: IncomingHttpHeaders): Record<string, string> {
  const redacted = redactHeaders(headers);
  if (redacted.location !== undefined) {
    const [url = '', fragment] = redacted.location.split(/#(.*)/s);
    redacted.location = redactTarget(url) + (fragment === undefined ? '' : `#${redactPairs(fragment)}`);
  }
  const secrets = listSecrets(request);
  for (const name in redacted) redacted[name] = redactSecrets(redacted[name]!, secrets);
  return redacted;
}

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
