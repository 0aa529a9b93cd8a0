/** The shapes of the contract documents, as far as the generator looks at them, and the two ways to move in them: a reference and a walk. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type DocumentName = 'openapi' | 'asyncapi' | 'authorization' | 'control';
/** The bundled documents: everything a reference names is inside the document itself. */
export type Documents = Record<DocumentName, JsonObject>;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of an object as an object; empty where there is none. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isObject(value) ? value : {};
}

/** The member of an object as a list of texts; empty where there is none. */
export function textsAt(parent: JsonObject, key: string): string[] {
  const value = parent[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** What `#/…` names inside a document. Throws where there is nothing. */
export function lookUp(document: JsonObject, reference: string): JsonObject {
  let found: Json | undefined = document;
  for (const part of reference.replace(/^#\//, '').split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) ? found[key] : undefined;
  }
  if (!isObject(found)) throw new Error(`${reference} names nothing`);
  return found;
}

/** Follows a `$ref`, if the node is one. */
export function resolve(document: JsonObject, node: Json | undefined): JsonObject {
  if (!isObject(node)) return {};
  return typeof node.$ref === 'string' ? resolve(document, lookUp(document, node.$ref)) : node;
}

/** Every object in a document, with its place as a JSON pointer. */
export function* walk(node: Json, place = ''): Generator<{ node: JsonObject; place: string }> {
  if (Array.isArray(node)) for (const [index, item] of node.entries()) yield* walk(item, `${place}/${index}`);
  if (!isObject(node)) return;
  yield { node, place };
  for (const [key, value] of Object.entries(node)) yield* walk(value, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

/** The references of a schema, those of what it refers to included. */
export function reachable(document: JsonObject, schema: Json, seen = new Set<string>()): Set<string> {
  for (const { node } of walk(schema)) {
    if (typeof node.$ref !== 'string' || seen.has(node.$ref)) continue;
    seen.add(node.$ref);
    reachable(document, lookUp(document, node.$ref), seen);
  }
  return seen;
}
