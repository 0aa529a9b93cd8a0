const HIDDEN = '…';

// Access tokens of a kit, and of most servers: whole, or cut off behind a header that begins as theirs do (alg, typ, kid).
const JSON_WEB_TOKEN = /\beyJ(?:[\w-]{8,}\.[\w-]+\.[\w-]*|(?:hbGci|0eXAi|raWQi)[\w-]*(?:\.[\w-]*)*)/g;
// Shorter ones would hide parts of ordinary words, and are no secrets.
const SHORTEST = 6;

/** A value with every secret in its texts replaced by `…`: what may be written to a report. */
export function withoutSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  const known = secrets.filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
  const clean = (text: string) => known.reduce(hide, text).replace(JSON_WEB_TOKEN, HIDDEN);
  return walk(value, clean) as Value;
}

/** Texts are cut off at some length: what a secret begins with may stand at their end. */
function hide(text: string, secret: string): string {
  const rest = text.replaceAll(secret, HIDDEN);
  for (let length = Math.min(secret.length - 1, rest.length); length >= SHORTEST; length--) {
    if (rest.endsWith(secret.slice(0, length))) return rest.slice(0, -length) + HIDDEN;
  }
  return rest;
}

function walk(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, clean)]));
}

/** The tokens of Authorization headers that were sent. */
export function tokensSent(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, value]) => value.match(/\S+$/) ?? []);
}
