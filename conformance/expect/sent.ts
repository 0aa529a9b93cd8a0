import { decisions } from '../../src/contract/generated/decisions-table.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { getValidator, type SchemaViolation } from '../../src/contract/validators.ts';
import type { Answer } from '../../src/expect/answer.ts';

const bodySchemas: Readonly<Record<string, string>> = schemaReferences.requests;

/** The bodies of the last answers. */
const received: string[] = [];
const MAX_RECEIVED = 500;

/** A value from a target's answer, such as an id that is no UUID, is not the suite's fault if the suite sends it back. */
export function recordReceived(text: string): void {
  received.push(text);
  if (received.length > MAX_RECEIVED) received.shift();
}

/** The specification does not say which values these have, so the profile does. */
const VALUES_OF_PROFILE: readonly (string | undefined)[] = ['users.list.sort-by-allowed', 'users.list.sort-order-allowed'];

/** Whether the specification leaves the point open, so that a request may try it. */
const isOpen = ({ rule }: SchemaViolation): boolean => VALUES_OF_PROFILE.includes(rule) || Object.hasOwn(decisions, rule ?? '');

const wasReceived = (value: unknown): boolean => value !== undefined && received.some((text) => text.includes(JSON.stringify(value)));

/**
 * Requires that the contract permits a request, before its answer is judged as that to a valid request. Otherwise, the suite is wrong, not
 * the target. The specification does not show the bodies of the requests with a profile's template.
 * @throws Error which is not RuleBroken, so that the verdict is `error`
 */
export function requireValidRequest({ operationId, method, url, requestBody }: Answer): void {
  const operation = operations[operationId as OperationId];
  // Requests to the authorization server have no operation.
  if (operation === undefined) return;
  const { query, successStatus, hasBody } = operation;
  const body = bodySchemas[operationId!];
  const findViolations = (reference: string, value: unknown) =>
    getValidator(reference)(value).filter((each) => !isOpen(each) && !wasReceived(Object(value)[each.pointer.slice(1)]));
  const violations = [
    ...(query === undefined ? [] : findViolations(schemaReferences.queries[query], Object.fromEntries(new URL(url).searchParams))),
    ...(hasBody && body !== undefined && successStatus !== '2XX' ? findViolations(body, JSON.parse(requestBody ?? 'null')) : []),
  ];
  if (violations.length === 0) return;
  const found = violations.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`);
  throw new Error(`The suite sent ${method} ${url} as a valid request, but the contract does not permit it: ${found.join('; ')}`);
}
