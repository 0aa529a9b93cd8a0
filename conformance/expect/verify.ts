import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { validator } from '../../src/contract/validators.ts';
import type { Answer } from '../target/exchange.ts';
import { must, RuleBroken } from './broken.ts';

type Json = Readonly<Record<string, unknown>>;
const bodies: Readonly<Record<string, Readonly<Record<string, string>>>> = schemaReferences.responses;

/** A success of the operation: any 2xx where the specification shows no status, a body that the contract allows. @returns the body. */
export function success<Body = Json>(operationId: OperationId, answer: Answer, status?: number): Body {
  const right = status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status;
  if (!right) throw new RuleBroken(`Expected ${status ?? 'a success (2xx)'}.`, answer);
  // Another success than the one that is shown is the matter of one rule; without the body that is shown, nothing was.
  const shown = bodies[operationId]?.[answer.status] ?? bodies[operationId]?.[operations[operationId].successStatus];
  const isOpen = operations[operationId].successStatus === '2XX';
  must(isOpen || shown === undefined || answer.text !== '', 'there is a body', answer);
  const reference = shown ?? bodies[operationId]?.['2XX'];
  if (reference !== undefined && answer.text !== '') {
    must(isJson(answer), 'a body is JSON', answer);
    matches(reference, answer);
  }
  return answer.json as Body;
}

/** A refusal with exactly this status (or one of these), as a problem. @returns the problem. */
export function refusal(answer: Answer, ...statuses: readonly number[]): Json {
  if (!statuses.includes(answer.status)) throw new RuleBroken(`Expected ${statuses.join(' or ')}.`, answer);
  return answer.json as Json;
}

/** A refusal whose status is left open: any 4xx, but not for coming too often. */
export function refused(answer: Answer): void {
  must(answer.status >= 400 && answer.status < 500 && answer.status !== 429, 'the request is refused (4xx)', answer);
}

/** The body against a schema of the contract. @throws RuleBroken naming what does not fit. */
export function matches(reference: string, answer: Answer): void {
  const findings = validator(reference)(answer.json);
  if (findings.length === 0) return;
  const first = findings.slice(0, 3).map(({ pointer, message }) => `${pointer || 'the body'} ${message}`);
  throw new RuleBroken(`Expected a body that fits the contract: ${first.join('; ')}.`, answer);
}

export function isJson(answer: Answer): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(answer.headers['content-type'] ?? '') && answer.json !== undefined;
}
