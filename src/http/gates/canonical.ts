import type { Decisions } from '../../contract/generated/decisions.ts';
import { isCapitalUuid, isUuid } from '../../contract/uuid.ts';

/**
 * The text as it is looked up: UUIDs in lower case, and '' (which names nothing) for what no store can hold, and for UUIDs with capital letters where
 * those are none. One engine refuses NUL and lone surrogates where the other keeps them, so neither ever sees one.
 */
export function canonical(value: string, capitals: Decisions['http.uuid-letter-case']): string {
  if (value.includes('\0') || !value.isWellFormed()) return '';
  if (!isUuid(value)) return value;
  return capitals === 'refused' && isCapitalUuid(value) ? '' : value.toLowerCase();
}
