import { didYouMean } from '../contract/did-you-mean.ts';
import type { GateFailure } from '../contract/failure.ts';
import { type ControlOperationId, controlOperations } from '../contract/generated/control-operations.ts';
import { cannot } from './handler.ts';

/**
 * Parses the query of a request. The service ignores unknown parameters; here a filter with a typing error would return everything.
 *
 * @param url The path and the query as they were sent.
 */
export function parseQuery(operationId: ControlOperationId, url: string): { readonly query: Record<string, string> } | GateFailure {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  const known: readonly string[] = controlOperations[operationId].queryParameters;
  for (const name of query.keys()) {
    if (!known.includes(name)) return cannot('invalid', `There is no parameter "${name}".${suggestion(name, known)}`);
    if (query.getAll(name).length > 1) return cannot('invalid', `The parameter ${name} is given ${query.getAll(name).length} times.`);
  }
  return { query: Object.fromEntries(query) };
}

function suggestion(name: string, known: readonly string[]): string {
  if (known.length === 0) return ' This operation has none.';
  return didYouMean(name, known) || ` There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ')}.`;
}

/** Refuses a parameter that does not match its pattern. The description completes "must be". */
export function invalidParameter(
  query: Readonly<Record<string, string | undefined>>,
  patterns: Readonly<Record<string, readonly [pattern: RegExp, description: string]>>,
): GateFailure | undefined {
  for (const [name, value = ''] of Object.entries(query)) {
    const [pattern, description] = patterns[name] ?? [];
    if (pattern?.test(value) === false) return cannot('invalid', `The parameter ${name} must be ${description}, not "${value}".`);
  }
  return undefined;
}

/** The pattern of the parameter `limit` of a list. */
export const LIMIT = [/^(?:[1-9]\d{0,2}|1000)$/, 'a whole number from 1 to 1000'] as const;
