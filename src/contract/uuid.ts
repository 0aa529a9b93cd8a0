const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CAPITAL = /[A-F]/;

/** Whether the text is a UUID of the form 8-4-4-4-12, in upper or lower case (openapi/schemas/common.yaml, Uuid). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether the text is a UUID with at least one capital letter. */
export function isCapitalUuid(text: string): boolean {
  return UUID.test(text) && CAPITAL.test(text);
}
