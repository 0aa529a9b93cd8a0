const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CAPITAL_PATTERN = /[A-F]/;

export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text);
}

export function isCapitalUuid(text: string): boolean {
  return UUID_PATTERN.test(text) && CAPITAL_PATTERN.test(text);
}
