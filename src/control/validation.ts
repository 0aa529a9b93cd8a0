import { createControlFailure, type GateFailure } from '../contract/failure.ts';
import type { ControlOperationId } from '../contract/generated/control-operations.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { schemas } from '../contract/generated/schemas.ts';
import { getValidator, isNestedDeeper, MAX_DEPTH } from '../contract/validators.ts';
import { refuseRequest } from './handler.ts';

type Query = Readonly<Record<string, string | number>>;
const bodySchemas: Readonly<Record<string, string>> = schemaReferences.requests;

/**
 * Converts integer parameters to numbers. Refuses unknown parameters, because a mistyped filter would return all entities.
 * @param url the path and the query, not decoded
 */
export function checkQuery(operationId: ControlOperationId, url: string): { readonly query: Query } | GateFailure {
  const sent = new URLSearchParams(url.split('?').slice(1).join('?'));
  const repeated = [...sent.keys()].find((name) => sent.getAll(name).length > 1);
  if (repeated !== undefined)
    return refuseRequest('invalid', `The parameter ${repeated} is given ${sent.getAll(repeated).length} times. Send it once.`);
  const { properties } = schemas.control.$defs[`${operationId}.query`] as { properties: Readonly<Record<string, { type?: string }>> };
  const convertValue = (name: string, text: string) => (properties[name]?.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text);
  const query = Object.fromEntries([...sent].map(([name, text]) => [name, convertValue(name, text)]));
  return findInvalid(schemaReferences.queries[operationId], query, '?') ?? { query };
}

export function checkBody(operationId: ControlOperationId, body: unknown): GateFailure | undefined {
  if (isNestedDeeper(body)) return refuseRequest('invalid', `The body has more than ${MAX_DEPTH} levels of lists and objects.`);
  const schema = bodySchemas[operationId];
  // The handler of `loadState` validates the world, because its messages are more specific than the schema's.
  return schema === undefined || operationId === 'loadState' ? undefined : findInvalid(schema, body, '/');
}

/** @param prefix the start of the error pointers: `?` for a query, `/` for a body */
function findInvalid(schema: string, value: unknown, prefix: '?' | '/'): GateFailure | undefined {
  const errors = getValidator(schema)(value)
    // Errors from inside propertyNames are more specific than the error for propertyNames itself.
    .filter(({ keyword }) => keyword !== 'propertyNames')
    .map(({ pointer, message }) => ({ pointer: pointer.replace(/^\//, prefix), message }));
  const [first] = errors;
  return first && createControlFailure('invalid', `${first.pointer.slice(1) || 'The body'} ${first.message}.`, errors);
}
