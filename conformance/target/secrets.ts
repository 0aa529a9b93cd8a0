const HIDDEN_TEXT = '…';

// A JSON Web Token, perhaps truncated. A truncated token's header must begin with alg, typ or kid.
const JSON_WEB_TOKEN = /\beyJ(?:[\w-]{8,}\.[\w-]+\.[\w-]*|(?:hbGci|0eXAi|raWQi)[\w-]*(?:\.[\w-]*)*)/g;
// The minimum length of secrets to hide, because shorter ones also occur in ordinary words.
const MIN_SECRET_LENGTH = 6;

/** @param value a value that JSON can represent */
export function hideSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  const known = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length);
  const hideAllSecrets = (text: string) => known.reduce(hideSecret, text).replace(JSON_WEB_TOKEN, HIDDEN_TEXT);
  return JSON.parse(JSON.stringify(value), (_, member) => (typeof member === 'string' ? hideAllSecrets(member) : member));
}

/** Hides a secret in a text, even if the text was truncated in the middle of the secret. */
function hideSecret(text: string, secret: string): string {
  const rest = text.replaceAll(secret, HIDDEN_TEXT);
  for (let length = Math.min(secret.length - 1, rest.length); length >= MIN_SECRET_LENGTH; length--) {
    if (rest.endsWith(secret.slice(0, length))) return rest.slice(0, -length) + HIDDEN_TEXT;
  }
  return rest;
}

export function listSentTokens(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, value]) => value.match(/\S+$/) ?? []);
}
