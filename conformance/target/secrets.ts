const HIDDEN_TEXT = '…';

// A JSON Web Token, perhaps truncated. A truncated token's header must begin with alg, typ or kid.
const JSON_WEB_TOKEN = /\beyJ(?:[\w-]{8,}\.[\w-]+\.[\w-]*|(?:hbGci|0eXAi|raWQi)[\w-]*(?:\.[\w-]*)*)/g;
// The minimum length of secrets to hide, because shorter ones also occur in ordinary words.
const MIN_SECRET_LENGTH = 6;

export function hideSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  const known = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length);
  const hideAllSecrets = (text: string) => known.reduce(hideSecret, text).replace(JSON_WEB_TOKEN, HIDDEN_TEXT);
  return mapStrings(value, hideAllSecrets) as Value;
}

/** Hides a secret in a text, even if the text was truncated in the middle of the secret. */
function hideSecret(text: string, secret: string): string {
  const rest = text.replaceAll(secret, HIDDEN_TEXT);
  for (let length = Math.min(secret.length - 1, rest.length); length >= MIN_SECRET_LENGTH; length--) {
    if (rest.endsWith(secret.slice(0, length))) return rest.slice(0, -length) + HIDDEN_TEXT;
  }
  return rest;
}

function mapStrings(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapStrings(member, clean)]));
}

export function listSentTokens(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, value]) => value.match(/\S+$/) ?? []);
}
