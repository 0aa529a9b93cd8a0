import { type ParsedUrlQuery, parse } from 'node:querystring';
import { addEvidence, createGateFailure, type Failure, type FieldError, refuse, refuseByDecision } from '../../contract/failure.ts';
import type { DecisionId, Decisions } from '../../contract/generated/decisions.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import { statusOf } from '../../contract/generated/rules.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { isCapitalUuid, isUuid } from '../../contract/uuid.ts';
import { getValidator, type SchemaViolation } from '../../contract/validators.ts';
import type { Exchange } from '../exchange.ts';

/** Refuses a path id that is not a UUID (decision `http.path-id`), except a user id, which can have another format. */
export function checkPath({ path }: Exchange, decisions: Decisions): Failure | undefined {
  if (decisions['http.path-id'] === 404) return undefined;
  const { userId: _, ...ids } = path;
  const [name, value] = Object.entries(ids).find(([, id]) => !isUuid(id)) ?? [];
  if (value === undefined) return undefined;
  return addEvidence(refuseByDecision('http.path-id', `${name} in the path must be a UUID.`), { cause: 'id style unsupported', value });
}

export function checkQuery(exchange: Exchange, decisions: Decisions): Failure | undefined {
  const { operationId, operation, req } = exchange;
  const names: readonly string[] = operation.queryParameters;
  const given = parseQuery(req.url);
  if (decisions['http.query.unknown-parameter'] === 400) {
    const unknown = Object.keys(given).find((name) => !names.includes(name));
    if (unknown !== undefined)
      return refuseParameter(
        'http.unknown-parameter',
        unknown,
        `must not be sent: the allowed parameters are ${names.join(', ') || 'none'}`,
      );
  }
  const values: Record<string, string> = {};
  // With `accountId`, the service ignores these parameters (rule connections.list.account-wins).
  const ignored = operationId === 'getExperienceConnections' && given.accountId !== undefined ? ['telephoneNumber', 'tn'] : [];
  for (const name of names) {
    const sent = given[name];
    if (sent === undefined || ignored.includes(name)) continue;
    const repeated = decisions['http.query.duplicate-parameter'];
    if (typeof sent === 'string') values[name] = sent;
    else if (repeated === 400) return refuseParameter('http.duplicate-parameter', name, 'must be sent only once');
    else values[name] = sent.at(repeated === 'last' ? -1 : 0)!;
  }
  if (operation.query) {
    const validate = getValidator(schemaReferences.queries[operation.query], decisions['http.uuid-letter-case']);
    const findings = validate(values).filter((found) => !isTolerated(found, decisions));
    if (findings.length > 0) return refuseInvalidValues(operationId, findings);
    for (const name in values) values[name] = canonicalize(values[name]!, decisions['http.uuid-letter-case']);
  }
  exchange.query = values;
  return undefined;
}

/** Returns the same values as URLSearchParams, in half the time. */
function parseQuery(target: string): ParsedUrlQuery {
  const at = target.indexOf('?');
  if (at < 0) return {};
  // URLSearchParams ignores a question mark at the start.
  return parse(target.slice(target[at + 1] === '?' ? at + 2 : at + 1), '&', '=', { maxKeys: 0 });
}

/** Whether a decision accepts a value that the specification neither allows nor forbids. */
function isTolerated({ rule }: SchemaViolation, decisions: Decisions): boolean {
  return rule !== undefined && rule in decisions && typeof decisions[rule as DecisionId] !== 'number';
}

/** Returns the canonical form of a value, or '' if no stored value can equal it, for example because it contains NUL. */
export function canonicalize(value: string, uuidCapitals: Decisions['http.uuid-letter-case']): string {
  if (value.includes('\0') || !value.isWellFormed()) return '';
  if (!isUuid(value)) return value;
  return uuidCapitals === 'refused' && isCapitalUuid(value) ? '' : value.toLowerCase();
}

/** The first finding determines the status and the detail. */
export function refuseInvalidValues(operationId: OperationId, findings: readonly SchemaViolation[], prefix = '?'): Failure {
  const errors: FieldError[] = findings.map(({ pointer, message }) => ({
    pointer: prefix === '?' ? `?${pointer.slice(1)}` : pointer,
    message,
  }));
  const { rule, message, pointer } = findings[0]!;
  const detail = pointer === '' ? `The ${prefix === '?' ? 'request' : 'body'} ${message}.` : `${pointer.slice(1)} ${message}.`;
  const statuses: Readonly<Record<string, number>> = statusOf[operationId];
  if (rule === undefined) throw new Error(`${operationId}: no rule for the finding "${pointer} ${message}"`);
  const status = statuses[rule];
  return status === undefined ? refuseByDecision(rule as DecisionId, detail, errors) : refuse(status, rule, detail, errors);
}

function refuseParameter(gate: 'http.unknown-parameter' | 'http.duplicate-parameter', name: string, message: string): Failure {
  return createGateFailure(gate, `${JSON.stringify(name)} ${message}.`, { errors: [{ pointer: `?${name}`, message }] });
}
