/** Generates TypeScript types for the schemas and operations of the documents with openapi-typescript. */
import openapiTS, { astToString } from 'openapi-typescript';
import { isObject, type Json, resolve } from './documents.ts';
import { banner } from './write-typescript.ts';

/** Options for openapi-typescript. Members with a default are optional, and a schema with only `type: object` accepts any members. */
const options = {
  alphabetize: false,
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  rootTypesKeepCasing: true,
};

export async function writeTypes(document: Json, source: string, immutable = false): Promise<string> {
  const ast = await openapiTS(JSON.stringify(typeView(document)), { ...options, immutable });
  return `${banner(source)}${astToString(ast).replaceAll(/^ {4}(?: {4})*/gm, (indent) => indent.slice(indent.length / 2))}`;
}

const ofSchemas = (schemas: Json, source: string, immutable = false) =>
  writeTypes({ openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }, source, immutable);

/** Writes the types of the events. openapi-typescript gets their schemas as a separate document. */
export function writeEventTypes({ components }: Json, source: string): Promise<string> {
  return ofSchemas(components.schemas, source);
}

/** Writes read-only types for a JSON Schema and its `$defs`. */
export function writeSchemaTypes(name: string, { $defs = {}, ...schema }: Json, source: string): Promise<string> {
  return ofSchemas(JSON.parse(JSON.stringify({ [name]: schema, ...$defs }).replaceAll('#/$defs/', '#/components/schemas/')), source, true);
}

/** Keywords that define a type. A schema without any of them only narrows another schema. */
const TYPING = ['type', 'enum', 'const', 'items', 'prefixItems', 'additionalProperties', 'format'];
const COMBINING = ['allOf', 'anyOf', 'oneOf'];
const CONDITIONS = ['if', 'then', 'else', 'not', 'dependentRequired'];

function definesType(document: Json, node: Json): boolean {
  const schema = resolve(document, node);
  if (TYPING.some((keyword) => keyword in schema)) return true;
  const parts: Json[] = [...Object.values(schema.properties ?? {}), ...COMBINING.flatMap((keyword) => schema[keyword] ?? [])];
  return parts.some((part) => definesType(document, part));
}

/**
 * Merges a schema and the schemas in its `allOf` into one object schema, if several of these schemas define the same member. The last
 * definition of the member replaces the others.
 */
function withOverrides(document: Json, schema: Json): Json {
  const { allOf = [], ...own } = schema;
  const parts: Json[] = [...allOf, own].map((part) => resolve(document, part));
  const named = parts.flatMap(({ properties = {} }) => Object.keys(properties));
  if (new Set(named).size === named.length) return schema;
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  const required = [...new Set(parts.flatMap((part) => (part.properties && part.required) ?? []))];
  return { ...own, type: 'object', properties, required, allOf: allOf.filter((part: Json) => !resolve(document, part).properties) };
}

function viewOf(document: Json, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => viewOf(document, item));
  if (!isObject(node)) return node;
  const kept: Json = {};
  for (const [key, value] of Object.entries(withOverrides(document, node))) {
    const isCombined = COMBINING.includes(key) && Array.isArray(value);
    const parts = isCombined ? value.filter((part) => definesType(document, part)) : value;
    if (!CONDITIONS.includes(key) && !(isCombined && parts.length === 0)) kept[key] = viewOf(document, parts);
  }
  return kept;
}

/**
 * Simplifies a document for openapi-typescript. Otherwise openapi-typescript would convert conditions and narrowing schemas to `unknown`,
 * and an overridden member to an intersection. Named schemas that only narrow other schemas are removed, together with the references to
 * them.
 */
function typeView(document: Json): Json {
  const { components = {} } = document;
  const schemas = Object.entries<Json>(components.schemas ?? {}).filter(([, schema]) => definesType(document, schema));
  return viewOf(document, { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } }) as Json;
}
