/** Simplifies schemas for code generators, which do not support conditions. */
import { isObject, type Json, resolve } from './documents.ts';

/** Keywords that define a type. Schemas without them only narrow other schemas. */
const TYPE_KEYWORDS = ['type', 'enum', 'const', 'items', 'prefixItems', 'additionalProperties', 'format'];
const COMBINING_KEYWORDS = ['allOf', 'anyOf', 'oneOf'];
const CONDITION_KEYWORDS = ['if', 'then', 'else', 'not', 'dependentRequired', 'dependentSchemas'];

function definesType(document: Json, node: Json): boolean {
  const schema = resolve(document, node);
  if (TYPE_KEYWORDS.some((keyword) => keyword in schema)) return true;
  const parts: Json[] = [...Object.values(schema.properties ?? {}), ...COMBINING_KEYWORDS.flatMap((keyword) => schema[keyword] ?? [])];
  return parts.some((part) => definesType(document, part));
}

/** Merges a schema and its `allOf` parts if two of them define the same member. The schema's own definition has precedence. */
function mergeOverrides(document: Json, schema: Json): Json {
  const { allOf = [], ...own } = schema;
  const parts: Json[] = [...allOf, own].map((part) => resolve(document, part));
  const named = parts.flatMap(({ properties = {} }) => Object.keys(properties));
  if (new Set(named).size === named.length) return schema;
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  const required = [...new Set(parts.flatMap((part) => (part.properties && part.required) ?? []))];
  return { ...own, type: 'object', properties, required, allOf: allOf.filter((part: Json) => !resolve(document, part).properties) };
}

function simplifySchema(document: Json, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => simplifySchema(document, item));
  if (!isObject(node)) return node;
  const kept: Json = {};
  for (const [key, value] of Object.entries(mergeOverrides(document, node))) {
    const isCombined = COMBINING_KEYWORDS.includes(key) && Array.isArray(value);
    const parts = isCombined ? value.filter((part) => definesType(document, part)) : value;
    if (!CONDITION_KEYWORDS.includes(key) && !(isCombined && parts.length === 0)) kept[key] = simplifySchema(document, parts);
  }
  return kept;
}

/** Removes what generators convert to `unknown` or to intersections: conditions, schemas without a type, and overridden members. */
export function removeConditions(document: Json): Json {
  const { components = {} } = document;
  const schemas = Object.entries<Json>(components.schemas ?? {}).filter(([, schema]) => definesType(document, schema));
  return simplifySchema(document, { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } }) as Json;
}
