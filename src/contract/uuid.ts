const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CAPITAL = /[A-F]/;

/** Whether the text is a UUID in its 8-4-4-4-12 form, in letters of either case (schemas/common.yaml, Uuid). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether the text is a UUID with capital letters. */
export function isCapitalUuid(text: string): boolean {
  return UUID.test(text) && CAPITAL.test(text);
}
