/** Checks that the contract is consistent: identifiers, path forms, query schemas. */
import type { Decisions } from './decisions.ts';
import { type Documents, isObject, type Json, type JsonObject, objectAt, type Problems, reachable, resolve, walk } from './documents.ts';
import { type Operation, pathForms } from './operations.ts';
import type { Rules } from './rules.ts';

interface Tables {
  rules: Rules;
  decisions: Decisions;
  gates: JsonObject;
}

/** The ids in an `x-rule`: one for the whole schema, or one for each keyword. */
function idsOfRule(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) ? Object.values(value).map(String) : [];
}

/** Checks that no id has two meanings, and that every id in `x-rule` and `x-decisions` exists. */
export function checkIds({ rules, decisions, gates }: Tables, documents: Documents, problems: Problems): void {
  for (const id of Object.keys(decisions)) if (id in rules) problems.add('openapi/decisions.yaml', `${id} is a rule, too`);
  for (const id of Object.keys(gates))
    if (id in rules || id in decisions) problems.add('openapi/gates.yaml', `${id} is a rule or a decision, too`);
  for (const [name, document] of Object.entries(documents)) {
    for (const { node, place } of walk(document)) {
      const at = `openapi/${name}.yaml#${place}`;
      for (const id of idsOfRule(node['x-rule'] ?? null))
        if (!(id in rules) && !(id in decisions)) problems.add(at, `x-rule names ${id}, which is neither a rule nor a decision`);
      const listed = node['x-decisions'] ?? [];
      if (!Array.isArray(listed)) problems.add(at, 'x-decisions is not a list');
      else for (const id of listed) if (!(String(id) in decisions)) problems.add(at, `x-decisions names ${id}, which is no decision`);
    }
  }
}

export function checkOperations(operations: Operation[], document: JsonObject, problems: Problems): void {
  for (const operation of operations) {
    checkForms(operation, problems);
    checkQuery(operation, document, problems);
    checkRefusals(operation, document, problems);
  }
}

/** The flat form of a prefixed path (Endpoints › Path forms). */
const flatOf = (prefixed: string): string =>
  prefixed.replace(/^\/experience\/experiences(?=\/)/, '/experiences').replace(/^\/experience\//, '/experience-');

function checkForms(operation: Operation, problems: Problems): void {
  const place = `openapi/openapi.yaml, operation ${operation.id}`;
  const { prefixed, flat } = pathForms(operation);
  const expected = prefixed.startsWith('/users') ? [prefixed] : [prefixed, flatOf(prefixed)];
  if (!prefixed.startsWith('/users') && !prefixed.startsWith('/experience/')) problems.add(place, 'has no prefixed path');
  if (flat !== expected.at(-1)) problems.add(place, `has the flat path ${flat} where ${expected.at(-1)} is expected`);
  if (operation.paths.length !== expected.length)
    problems.add(place, `answers under ${operation.paths.length} paths, not ${expected.length}`);
  if (operation.scope === undefined) problems.add(place, 'names no scope');
  if (!Object.keys(operation.responses).some((status) => status.startsWith('2'))) problems.add(place, 'has no response of success');
}

/** Checks that the query schema has the parameters of the operation as members. Some members occur only in a condition. */
function checkQuery(operation: Operation, document: JsonObject, problems: Problems): void {
  const place = `openapi/openapi.yaml, operation ${operation.id}`;
  const { querySchema: name, queryParameters } = operation;
  if (name === undefined) {
    if (queryParameters.length > 0) problems.add(place, 'has query parameters, but no x-query-schema');
    return;
  }
  const schema = objectAt(objectAt(document, 'components'), 'schemas')[name];
  if (schema === undefined) {
    problems.add(place, `its x-query-schema ${name} is no schema of the document`);
    return;
  }
  const members = [...new Set([...walk(schema)].flatMap(({ node }) => Object.keys(objectAt(node, 'properties'))))];
  for (const parameter of queryParameters)
    if (!members.includes(parameter)) problems.add(place, `${name} lacks the query parameter ${parameter}`);
  for (const member of members)
    if (!queryParameters.includes(member)) problems.add(place, `${name} has ${member}, which is no query parameter`);
}

/** Checks that every rule in a request schema is a refusal that the operation documents, or one of its decisions. */
function checkRefusals(operation: Operation, document: JsonObject, problems: Problems): void {
  const refusals = Object.entries(operation.responses).filter(([status]) => !status.startsWith('2'));
  const open = Array.isArray(operation.node['x-decisions']) ? operation.node['x-decisions'].map(String) : [];
  const allowed = new Set([...refusals.flatMap(([, response]) => Object.keys(objectAt(response, 'x-rules'))), ...open]);
  const query: JsonObject[] = operation.querySchema === undefined ? [] : [{ $ref: `#/components/schemas/${operation.querySchema}` }];
  const roots = operation.body === undefined ? query : [...query, operation.body];
  const references = roots.flatMap((root) => [...reachable(document, root)]).map((reference): JsonObject => ({ $ref: reference }));
  for (const schema of [...roots, ...references]) {
    for (const { node } of walk(resolve(document, schema))) {
      for (const id of idsOfRule(node['x-rule'] ?? null)) {
        if (!allowed.has(id))
          problems.add(
            `openapi/openapi.yaml, operation ${operation.id}`,
            `a request schema names ${id}, which no refusal of the operation has`,
          );
      }
    }
  }
}

/** Checks what several documents define: operation ids and event types. */
export function checkAcross(documents: Documents, operations: Operation[], events: JsonObject, problems: Problems): void {
  const seen = new Set<string>();
  for (const { id } of operations) {
    if (seen.has(id)) problems.add('openapi/control.yaml', `the operation ${id} is one of the service, too`);
    seen.add(id);
  }
  const listed = objectAt(objectAt(objectAt(documents.control, 'components'), 'schemas'), 'EventType').enum;
  const types = Object.keys(events);
  if (JSON.stringify(listed) !== JSON.stringify(types))
    problems.add('openapi/schemas/world.yaml#/EventType', `does not list the events of openapi/asyncapi.yaml: ${types}`);
}
