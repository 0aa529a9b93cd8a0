import { type ControlOperation, controlOperations } from '../contract/generated/control-operations.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { schemas } from '../contract/generated/schemas.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const operations: Readonly<Record<string, ControlOperation>> = controlOperations;
const references: Readonly<Record<string, Readonly<Record<string, string>>>> = schemaReferences.responses;

/**
 * Compares a control API response with the contract: its status, and the types and the required members of its body. Ignores other
 * constraints, because a newer kit may send other values. Does not use ajv, because a command would take twice as long with it.
 * @param path the path in the contract, such as `/_control/state/{collection}`
 * @returns the first difference; undefined if there is none
 */
export function findMismatch(method: string, path: string, { ok, status }: Response, body: unknown): string | undefined {
  const found = Object.entries(operations).find(([, each]) => each.method === method.toLowerCase() && each.paths.includes(path));
  if (found === undefined) return undefined;
  const [id, { statuses }] = found;
  if (ok && !statuses.includes(status)) return `its status is ${status}`;
  const reference = references[id]?.[status] ?? (ok ? undefined : references[id]?.['4XX']);
  return reference === undefined ? undefined : findDifference(getSchema(reference), body, '');
}

/** @param reference a reference such as `control#/$defs/Clock` */
function getSchema(reference: string): Schema {
  const [collection, name = ''] = reference.split('#/$defs/');
  return schemas[collection as keyof typeof schemas].$defs[name] as Schema;
}

function findDifference(schema: Schema, value: unknown, pointer: string): string | undefined {
  const { $ref, type = [], required = [], properties = {}, additionalProperties, items, oneOf = [], allOf = [] } = schema;
  const types = [type].flat();
  const where = pointer === '' ? 'the body' : pointer;
  if (types.length > 0 && !types.some((each) => hasType(value, each)))
    return value === undefined ? `${where} is not JSON` : `${where} has the wrong type`;
  const parts = [...($ref === undefined ? [] : [getSchema(`control${$ref}`)]), ...allOf];
  if (oneOf.length > 0 && oneOf.every((each) => findDifference(each, value, pointer))) return `${where} has the wrong type`;
  let difference = findFirst(parts, (part) => findDifference(part, value, pointer));
  if (Array.isArray(value)) difference ??= items && findFirst(value, (item, index) => findDifference(items, item, `${pointer}/${index}`));
  else if (typeof value === 'object' && value !== null) {
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return `${pointer}/${missing} is missing`;
    const others = typeof additionalProperties === 'object' ? additionalProperties : {};
    difference ??= findFirst(Object.entries(value), ([name, member]) =>
      findDifference(Object.hasOwn(properties, name) ? (properties[name] as Schema) : others, member, `${pointer}/${name}`),
    );
  }
  return difference;
}

function findFirst<Item>(items: readonly Item[], find: (item: Item, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return type === 'object' ? typeof value === 'object' && value !== null && !Array.isArray(value) : typeof value === type;
}
