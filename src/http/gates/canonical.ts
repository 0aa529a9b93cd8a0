import type { Decisions } from '../../contract/generated/decisions.ts';

const UUID = /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/i;
const CAPITAL = /[A-F]/;

/** Whether the text is a UUID with capital letters. */
export function isCapitalUuid(value: string): boolean {
  return UUID.test(value) && CAPITAL.test(value);
}

/**
 * The text as it is looked up: UUIDs in lower case, and '' (which names nothing) for what no store can hold, and for UUIDs with capital letters where
 * those are none. One engine refuses NUL and lone surrogates where the other keeps them, so neither ever sees one.
 */
export function canonical(value: string, capitals: Decisions['http.uuid-letter-case']): string {
  if (value.includes('\0') || !value.isWellFormed()) return '';
  if (!UUID.test(value)) return value;
  return capitals === 'refused' && CAPITAL.test(value) ? '' : value.toLowerCase();
}
