import { decided, type Failure, type FieldError, gateFailure, refuse } from '../../contract/failure.ts';
import type { DecisionId, Decisions } from '../../contract/generated/decisions.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import { operations } from '../../contract/generated/operations.ts';
import { statusOf } from '../../contract/generated/rules.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { type Finding, validator } from '../../contract/validators.ts';
import { canonical } from './canonical.ts';

/** Judges the query of an operation. @returns its values by name, in canonical form, or why it is refused (400). */
export function checkQuery(operationId: OperationId, search: string, decisions: Decisions): Record<string, string> | Failure {
  const { query: schema, queryParameters } = operations[operationId];
  const names: readonly string[] = queryParameters;
  const given = new URLSearchParams(search);
  if (decisions['http.query.unknown-parameter'] === 400) {
    const unknown = [...given.keys()].find((name) => !names.includes(name));
    if (unknown !== undefined)
      return gateError('http.unknown-parameter', unknown, `must not be sent: the parameters are ${names.join(', ') || 'none'}`);
  }
  const values: Record<string, string> = Object.create(null);
  // connections.list.account-wins: what accountId makes the service ignore is not looked at at all.
  const ignored = operationId === 'getExperienceConnections' && given.has('accountId') ? ['telephoneNumber', 'tn'] : [];
  for (const name of names) {
    const all = given.getAll(name);
    if (all.length === 0 || ignored.includes(name)) continue;
    const repeated = decisions['http.query.duplicate-parameter'];
    if (all.length > 1 && repeated === 400) return gateError('http.duplicate-parameter', name, 'must be given once');
    values[name] = (repeated === 'last' ? all.at(-1) : all[0]) as string;
  }
  if (!schema) return values;
  const validate = validator(schemaReferences.queries[schema], decisions['http.uuid-letter-case']);
  const findings = validate(values).filter((found) => !isTolerated(found, decisions));
  if (findings.length > 0) return refusalOf(operationId, findings);
  for (const name in values) values[name] = canonical(values[name]!, decisions['http.uuid-letter-case']);
  return values;
}

/** Open points that a schema shows and the decision in force lets pass. */
function isTolerated({ rule }: Finding, decisions: Decisions): boolean {
  return rule !== undefined && rule in decisions && typeof decisions[rule as DecisionId] !== 'number';
}

/** The first finding decides; the others are told, too. */
export function refusalOf(operationId: OperationId, findings: readonly Finding[], prefix = '?'): Failure {
  const errors: FieldError[] = findings.map(({ pointer, message }) => ({
    pointer: prefix === '?' ? `?${pointer.slice(1)}` : pointer,
    message,
  }));
  const { rule, message, pointer } = findings[0]!;
  const detail = pointer === '' ? `The ${prefix === '?' ? 'request' : 'body'} ${message}.` : `${pointer.slice(1)} ${message}.`;
  const statuses: Readonly<Record<string, number>> = statusOf[operationId];
  if (rule === undefined) throw new Error(`${operationId}: no rule says why ${pointer} ${message}`);
  const status = statuses[rule];
  return status === undefined ? decided(rule as DecisionId, detail, errors) : refuse(status, rule, detail, errors);
}

function gateError(gate: 'http.unknown-parameter' | 'http.duplicate-parameter', name: string, message: string): Failure {
  return gateFailure(gate, `${JSON.stringify(name)} ${message}.`, { errors: [{ pointer: `?${name}`, message }] });
}
