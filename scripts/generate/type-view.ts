/** A document as types can say it. Conditions and narrowings would come out as `unknown`, and an overridden member as an intersection. */
import { isObject, type Json, type JsonObject, objectAt, resolve } from './documents.ts';

/** Keywords that give a type. A schema without any only narrows values. */
const typing = ['type', 'enum', 'const', 'items', 'prefixItems', 'additionalProperties', 'format'];
const combining = ['allOf', 'anyOf', 'oneOf'];
const conditions = ['if', 'then', 'else', 'not', 'dependentRequired'];

const listAt = (schema: JsonObject, keyword: string): Json[] | undefined => {
  const list = schema[keyword];
  return Array.isArray(list) ? list : undefined;
};

function saysType(document: JsonObject, node: Json): boolean {
  const schema = resolve(document, node);
  if (typing.some((keyword) => keyword in schema)) return true;
  if (Object.values(objectAt(schema, 'properties')).some((property) => saysType(document, property))) return true;
  return combining.some((keyword) => listAt(schema, keyword)?.some((part) => saysType(document, part)) ?? false);
}

/** Where a schema says a member of a part again, more narrowly, the parts become one object, the later over the earlier. */
function withOverrides(document: JsonObject, schema: JsonObject): JsonObject {
  const parts = listAt(schema, 'allOf') ?? [];
  const membersOf = (part: Json) => Object.keys(objectAt(resolve(document, part), 'properties'));
  const { allOf: _, ...own } = schema;
  const named = [...parts, own].flatMap(membersOf);
  if (new Set(named).size === named.length) return schema;
  const objects = [...parts, own].filter((part) => membersOf(part).length > 0).map((part) => resolve(document, part));
  const properties = Object.assign({}, ...objects.map((part) => objectAt(part, 'properties')));
  const required = [...new Set(objects.flatMap((part) => listAt(part, 'required') ?? []))];
  return { ...own, type: 'object', properties, required, allOf: parts.filter((part) => membersOf(part).length === 0) };
}

function viewOf(document: JsonObject, node: Json): Json {
  if (Array.isArray(node)) return node.map((item) => viewOf(document, item));
  if (!isObject(node)) return node;
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(withOverrides(document, node))) {
    const parts = combining.includes(key) && Array.isArray(value) ? value.filter((part) => saysType(document, part)) : value;
    const empty = combining.includes(key) && Array.isArray(parts) && parts.length === 0;
    if (!empty && !conditions.includes(key)) kept[key] = viewOf(document, parts);
  }
  return kept;
}

/** The document for openapi-typescript. Named schemas that only narrow are left out with the references to them. */
export function typeView(document: JsonObject): JsonObject {
  const components = objectAt(document, 'components');
  const schemas = Object.entries(objectAt(components, 'schemas')).filter(([, schema]) => saysType(document, schema));
  const view = viewOf(document, document) as JsonObject;
  const viewed = schemas.map(([name, schema]): [string, Json] => [name, viewOf(document, schema)]);
  return { ...view, components: { ...objectAt(view, 'components'), schemas: Object.fromEntries(viewed) } };
}
