/** Checks that the contract is consistent: ids, path forms, query schemas. */
import { type Documents, isObject, type Json, listReachable, lookUpReference, walk } from './documents.ts';
import { getPathForms, type Operation } from './operations.ts';
import { listResponseRules } from './rules.ts';

interface Ids {
  readonly rules: object;
  readonly decisions: object;
  readonly gates: object;
}

/** Returns the rule ids in an `x-rule`: one id, or an object with an id for each keyword. */
function listRuleIds({ 'x-rule': value }: Json): string[] {
  return isObject(value) ? Object.values(value) : [value ?? []].flat();
}

export function* findIdProblems({ rules, decisions, gates }: Ids, documents: Documents): Generator<string> {
  const ids = [rules, decisions, gates].flatMap(Object.keys);
  for (const id of ids)
    if (ids.indexOf(id) !== ids.lastIndexOf(id)) yield `the id ${id} belongs to more than one of: a rule, a decision, a gate`;
  for (const [name, document] of Object.entries(documents)) {
    for (const { node, place } of walk(document)) {
      const at = `openapi/${name}.yaml#${place}`;
      for (const id of listRuleIds(node))
        if (!(id in rules) && !(id in decisions)) yield `${at}: x-rule names ${id}, which is neither a rule nor a decision`;
      for (const id of node['x-decisions'] ?? []) if (!(id in decisions)) yield `${at}: x-decisions names ${id}, which is not a decision`;
    }
  }
}

export function* findOperationProblems(operation: Operation, document: Json): Generator<string> {
  const { id, paths, querySchema, queryParameters, body, responses, decisions } = operation;
  const at = `openapi/openapi.yaml, operation ${id}:`;
  const { prefixed, flat } = getPathForms(operation);
  const expected = prefixed.startsWith('/users') ? [prefixed] : [prefixed, toFlatPath(prefixed)];
  if (flat !== expected.at(-1)) yield `${at} has the flat path ${flat} where ${expected.at(-1)} is expected`;
  if (paths.length !== expected.length) yield `${at} has ${paths.length} paths, not ${expected.length}`;
  if (!Object.keys(responses).some((status) => status.startsWith('2'))) yield `${at} has no success response`;

  // Also collect members from schemas in conditions, because some members occur only there.
  const query = querySchema === undefined ? {} : lookUpReference(document, `#/components/schemas/${querySchema}`);
  const members = new Set([...walk(query)].flatMap(({ node }) => Object.keys(node.properties ?? {})));
  for (const name of queryParameters) if (!members.has(name)) yield `${at} ${querySchema} lacks the query parameter ${name}`;
  for (const name of members) if (!queryParameters.includes(name)) yield `${at} ${querySchema} has ${name}, which is not a query parameter`;

  const refusals = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
  const allowed = [...refusals.flatMap(([, response]) => listResponseRules(response)), ...decisions];
  const roots = [query, body ?? {}];
  const schemas = [
    ...roots,
    ...roots.flatMap((root) => [...listReachable(document, root)].map((reference) => lookUpReference(document, reference))),
  ];
  for (const rule of new Set(schemas.flatMap((schema) => [...walk(schema)].flatMap(({ node }) => listRuleIds(node)))))
    if (!allowed.includes(rule))
      yield `${at} a request schema names ${rule}, but neither the operation's error responses nor its x-decisions list this id`;
}

/** Converts a prefixed path to its flat form (Endpoints › Path forms). */
const toFlatPath = (prefixedPath: string): string =>
  prefixedPath.replace(/^\/experience\/experiences(?=\/)/, '/experiences').replace(/^\/experience\//, '/experience-');
