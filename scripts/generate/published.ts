/** Converts the documents to the form in which they are published: client generators and linters can read it. */
import { isObject, type Json, METHODS, reachable, resolve } from './documents.ts';
import { withoutConditions } from './schema-view.ts';

/**
 * Returns the published form of an OpenAPI document. Path items are inlined, and their parameters are moved to the operations. The second
 * path of an operation gets an operationId of its own, which ends with `Flat`; `x-operation` is the one that both share. Ranges of statuses such as 4XX are replaced by the statuses
 * that a kit returns (`x-statuses`). Conditions, schemas of whole queries and the annotations of the validators are removed. Objects inside
 * of schemas get names.
 */
export function publishedOpenapi(source: Json): Json {
  const document = structuredClone(withoutAnnotations(withoutConditions(source))) as Json;
  const known = new Set<string>();
  document.paths = Object.fromEntries(
    Object.entries<Json>(document.paths).map(([path, reference]) => {
      const { parameters = [], ...item } = structuredClone(resolve(document, reference));
      for (const method of METHODS.filter((name) => name in item)) {
        const { operationId, tags, ...operation } = item[method];
        item[method] = {
          ...(known.has(operationId) ? { operationId: `${operationId}Flat`, 'x-operation': operationId } : { operationId }),
          tags: tags ?? [tagOf(document, path)],
          ...operation,
          ...(operation.parameters || parameters.length > 0 ? { parameters: [...parameters, ...(operation.parameters ?? [])] } : {}),
          responses: withConcreteStatuses(document, operation.responses, `${method} ${path}`),
        };
        known.add(operationId);
      }
      return [path, item];
    }),
  );
  delete document.components.pathItems;
  return withUsedComponents(withNamedObjects(document));
}

/** Adds a response for the refusals that the specification does not document for an operation, such as a 403 for a missing scope. */
export function withOtherRefusals(document: Json): Json {
  const { components } = document;
  const OtherRefusal = {
    description: 'Any other refusal. The specification does not document it for this operation.',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  for (const item of Object.values<Json>(document.paths))
    for (const method of METHODS.filter((name) => name in item))
      item[method].responses.default = { $ref: '#/components/responses/OtherRefusal' };
  return { ...document, components: { ...components, responses: { ...components.responses, OtherRefusal } } };
}

/** Returns the published form of the AsyncAPI document. */
export const publishedAsyncapi = (source: Json): Json => withUsedComponents(withoutAnnotations(withoutConditions(source)) as Json);

/** The tag of an operation that states none: the first folder of its path that is the name of a tag. */
function tagOf({ tags = [] }: Json, path: string): string {
  const found = path.split('/').find((folder) => tags.some(({ name }: Json) => name === folder));
  if (found === undefined) throw new Error(`No tag of the document is a folder of ${path}`);
  return found;
}

function withConcreteStatuses(document: Json, responses: Json, place: string): Json {
  const entries = Object.entries<Json>(responses).flatMap(([status, reference]) => {
    const { 'x-statuses': statuses, ...response } = resolve(document, reference);
    if (!/XX$/.test(status)) return [[status, reference]];
    if (statuses === undefined) throw new Error(`The response ${status} of ${place} has no x-statuses`);
    return statuses.map((concrete: number | 'default') => [String(concrete), reference.$ref ? reference : response]);
  });
  return Object.fromEntries(entries);
}

/** Keywords for the validators and the generator of the project. */
const ANNOTATIONS = ['x-rule', 'x-message', 'x-query-schema'];

function withoutAnnotations(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAnnotations);
  if (!isObject(node)) return node;
  const entries = Object.entries(node).filter(([key]) => !ANNOTATIONS.includes(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutAnnotations(value)]));
}

const isObjectSchema = (schema: unknown): schema is Json => isObject(schema) && schema.type === 'object' && isObject(schema.properties);

/** Gives names to the objects that are members or items of schemas: the name of the schema, followed by the name of the member. */
function withNamedObjects(document: Json): Json {
  const schemas: Json = {};
  const named = (schema: Json, name: string): Json => {
    if (!isObjectSchema(schema)) return withNames(schema, name);
    if (name in document.components.schemas) throw new Error(`${name} is the name of a schema and of a member of a schema`);
    schemas[name] = withNames(schema, name);
    return { $ref: `#/components/schemas/${name}` };
  };
  const withNames = (schema: Json, name: string): Json => ({
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries<Json>(schema.properties).map(([member, value]) => [member, named(value, name + capitalized(member))]),
      ),
    }),
    ...(isObject(schema.items) && { items: named(schema.items, `${name}Item`) }),
    ...(schema.allOf && { allOf: schema.allOf.map((part: Json) => withNames(part, name)) }),
  });
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) schemas[name] = withNames(schema, name);
  return { ...document, components: { ...document.components, schemas } };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Removes the components to which no reference points. */
export function withUsedComponents(document: Json): Json {
  const { components, ...others } = document;
  const used = reachable(document, others);
  const kept = Object.entries<Json>(components).map(([kind, members]) => {
    const isUsed = (name: string) => kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(members).filter(([name]) => isUsed(name)))];
  });
  return { ...others, components: Object.fromEntries(kept.filter(([, members]) => Object.keys(members as Json).length > 0)) };
}

/**
 * Moves the defaults of schemas to their descriptions. Generators of clients turn a member of a request that has a default into a required
 * member.
 */
export function withoutDefaults(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutDefaults);
  if (!isObject(node)) return node;
  const isSchema = typeof node.type === 'string' || typeof node.$ref === 'string' || Array.isArray(node.oneOf);
  const { default: value, description, ...others } = node;
  const kept = isSchema && value !== undefined ? others : node;
  const described = [description, `Default: ${value}.`].filter((text) => text !== undefined).join(' ');
  const copy = Object.fromEntries(Object.entries(kept).map(([key, child]) => [key, withoutDefaults(child)]));
  return kept === node ? copy : { ...copy, description: described };
}
