/** Converts the documents to a form for client generators and linters. */
import { Converter } from '@apiture/openapi-down-convert';
import { isObject, type Json, listReachable, METHODS, mapObjects, resolve } from './documents.ts';
import { removeConditions } from './schema-view.ts';

/**
 * Returns the published form of an OpenAPI document. An operation's second path gets the operationId with the suffix `Flat`. A range such
 * as 4XX is replaced with the statuses in its `x-statuses`. Nested objects become named schemas.
 */
export function publishOpenapi(source: Json): Json {
  const document = structuredClone(removeAnnotations(removeConditions(source)));
  const known = new Set<string>();
  document.paths = Object.fromEntries(
    Object.entries<Json>(document.paths).map(([path, reference]) => {
      const { parameters = [], ...item } = structuredClone(resolve(document, reference));
      for (const method of METHODS.filter((name) => name in item)) {
        const { operationId, tags, ...operation } = item[method];
        item[method] = {
          ...(known.has(operationId) ? { operationId: `${operationId}Flat`, 'x-operation': operationId } : { operationId }),
          tags: tags ?? [findTag(document, path)],
          ...operation,
          ...(operation.parameters || parameters.length > 0 ? { parameters: [...parameters, ...(operation.parameters ?? [])] } : {}),
          responses: replaceStatusRanges(document, operation.responses, `${method} ${path}`),
        };
        known.add(operationId);
      }
      return [path, item];
    }),
  );
  delete document.components.pathItems;
  return removeUnusedComponents(nameObjects(document));
}

export function addOtherRefusals(document: Json): Json {
  const { components } = document;
  const OtherRefusal = {
    description: 'A refusal that the specification does not document for this operation.',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  for (const item of Object.values<Json>(document.paths))
    for (const method of METHODS.filter((name) => name in item))
      item[method].responses.default = { $ref: '#/components/responses/OtherRefusal' };
  return { ...document, components: { ...components, responses: { ...components.responses, OtherRefusal } } };
}

/** Returns the OpenAPI 3.0 form of a published document. */
export function downgradeOpenapi(document: Json): Json {
  const { summary: _, ...info } = document.info;
  return new Converter(mergeNull({ ...document, info }) as Json, { allOfTransform: true }).convert() as Json;
}

/** OpenAPI 3.0 has no `null` type, and its `nullable` needs a `type` beside it. */
const mergeNull = (document: Json): unknown =>
  mapObjects(document, (node) => {
    const { oneOf, ...others } = node;
    if (!oneOf?.some(({ type }: Json) => type === 'null')) return node;
    const { type, ...schema } = resolve(document, oneOf[0]);
    return { ...schema, ...others, type: [type, 'null'] };
  });

export const publishAsyncapi = (source: Json): Json => removeUnusedComponents(removeAnnotations(removeConditions(source)));

function findTag({ tags = [] }: Json, path: string): string {
  const found = path.split('/').find((segment) => tags.some(({ name }: Json) => name === segment));
  if (found === undefined) throw new Error(`The path ${path} must have a segment that is the name of a tag in the document`);
  return found;
}

function replaceStatusRanges(document: Json, responses: Json, place: string): Json {
  const entries = Object.entries<Json>(responses).flatMap(([status, reference]) => {
    const { 'x-statuses': statuses, ...response } = resolve(document, reference);
    if (!/XX$/.test(status)) return [[status, reference]];
    if (statuses === undefined) throw new Error(`The response ${status} of ${place} has no x-statuses`);
    return statuses.map((concrete: number | 'default') => [String(concrete), reference.$ref ? reference : response]);
  });
  return Object.fromEntries(entries);
}

/** Keywords that only this project's validators and generator use. */
const ANNOTATIONS = ['x-rule', 'x-message', 'x-query-schema', 'x-verb', 'x-verb-groups'];

const removeAnnotations = (document: Json): Json =>
  mapObjects(document, (node) => Object.fromEntries(Object.entries(node).filter(([key]) => !ANNOTATIONS.includes(key)))) as Json;

const isObjectSchema = (schema: unknown): schema is Json => isObject(schema) && schema.type === 'object' && isObject(schema.properties);

function nameObjects(document: Json): Json {
  const schemas: Json = {};
  const addSchema = (schema: Json, name: string): Json => {
    if (!isObjectSchema(schema)) return nameNestedObjects(schema, name);
    if (name in document.components.schemas) throw new Error(`${name} is the name of both a schema and a schema's member`);
    schemas[name] = nameNestedObjects(schema, name);
    return { $ref: `#/components/schemas/${name}` };
  };
  const nameNestedObjects = (schema: Json, name: string): Json => ({
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries<Json>(schema.properties).map(([member, value]) => [member, addSchema(value, name + capitalize(member))]),
      ),
    }),
    ...(isObject(schema.items) && { items: addSchema(schema.items, `${name}Item`) }),
    ...(schema.allOf && { allOf: schema.allOf.map((part: Json) => nameNestedObjects(part, name)) }),
  });
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) schemas[name] = nameNestedObjects(schema, name);
  return { ...document, components: { ...document.components, schemas } };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function removeUnusedComponents(document: Json): Json {
  const { components, ...others } = document;
  const used = listReachable(document, others);
  const kept = Object.entries<Json>(components).map(([kind, members]) => {
    const isUsed = (name: string) => kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(members).filter(([name]) => isUsed(name)))];
  });
  return { ...others, components: Object.fromEntries(kept.filter(([, members]) => Object.keys(members as Json).length > 0)) };
}

/** Client generators treat members with defaults as required. */
export const moveDefaults = (document: Json): Json =>
  mapObjects(document, (node) => {
    const isSchema = typeof node.type === 'string' || typeof node.$ref === 'string' || Array.isArray(node.oneOf);
    const { default: value, description, ...others } = node;
    if (!isSchema || value === undefined) return node;
    return { ...others, description: [description, `Default: ${value}.`].filter((text) => text !== undefined).join(' ') };
  }) as Json;
