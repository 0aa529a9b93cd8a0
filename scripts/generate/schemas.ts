/** The JSON Schemas of the contract, in one collection for each document, and the references to those that the code uses. */
import { type DocumentName, isObject, type Json, type JsonObject, objectAt, resolve } from './documents.ts';
import { jsonSchemaOf, type Operation, statusKey } from './operations.ts';
import { banner, key, quote } from './write-typescript.ts';

interface Collection {
  $id: DocumentName;
  $defs: JsonObject;
}

/** References into a document's components become references into its `$defs`. */
export function asJsonSchema(node: Json): Json {
  if (Array.isArray(node)) return node.map(asJsonSchema);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      name === '$ref' && typeof value === 'string' ? value.replace('#/components/schemas/', '#/$defs/') : asJsonSchema(value),
    ]),
  );
}

/** The schemas of a document, to which inline schemas are added. */
class Schemas {
  readonly collection: Collection;

  constructor(document: JsonObject, name: DocumentName) {
    const schemas = asJsonSchema(objectAt(objectAt(document, 'components'), 'schemas'));
    this.collection = { $id: name, $defs: isObject(schemas) ? schemas : {} };
  }

  /** The reference to a schema, which is added unless it is a reference itself. */
  referenceTo(schema: JsonObject, name: string): string {
    const converted = asJsonSchema(schema) as JsonObject;
    if (typeof converted.$ref === 'string') return `${this.collection.$id}${converted.$ref}`;
    this.collection.$defs[name] = converted;
    return `${this.collection.$id}#/$defs/${name}`;
  }
}

export interface SchemaOutput {
  collections: Record<string, Collection>;
  references: string;
}

export interface SchemaSource {
  name: DocumentName;
  document: JsonObject;
  operations: Operation[];
}

/** @param events the payload schemas by event type */
export function collectSchemas(parts: SchemaSource[], events: Record<string, JsonObject>): SchemaOutput {
  const lines = { queries: [] as string[], requests: [] as string[], responses: [] as string[], events: [] as string[] };
  const collections: Record<string, Collection> = {};
  for (const { name, document, operations } of parts) {
    const schemas = new Schemas(document, name);
    collections[name] = schemas.collection;
    for (const operation of operations) {
      if (operation.querySchema !== undefined)
        lines.queries.push(`    ${key(operation.querySchema)}: ${quote(`${name}#/$defs/${operation.querySchema}`)},\n`);
      if (operation.body !== undefined)
        lines.requests.push(`    ${key(operation.id)}: ${quote(schemas.referenceTo(operation.body, `${operation.id}.request`))},\n`);
      lines.responses.push(responseLines(operation, schemas));
    }
    if (name === 'asyncapi') {
      for (const [type, payload] of Object.entries(events))
        lines.events.push(`    ${key(type)}: ${quote(schemas.referenceTo(payload, type))},\n`);
    }
  }
  const groups = Object.entries(lines).map(([group, entries]) => `  ${group}: {\n${entries.join('')}  },\n`);
  return { collections, references: groups.join('') };
}

function responseLines(operation: Operation, schemas: Schemas): string {
  const entries = Object.entries(operation.responses).flatMap(([status, response]) => {
    const schema = jsonSchemaOf(objectAt(response, 'content'));
    if (schema === undefined) return [];
    return `      ${key(String(statusKey(status)))}: ${quote(schemas.referenceTo(schema, `${operation.id}.${status}`))},\n`;
  });
  return `    ${key(operation.id)}: {\n${entries.join('')}    },\n`;
}

export function writeSchemaReferences(output: SchemaOutput, sources: string[]): string {
  return `${banner(...sources)}
/**
 * Where in schemas.json a schema is, for ajv's \`getSchema\` once the collections are added: the query as a whole by name, the body by operation,
 * the answer by operation and status, the envelope by event type. An operation's status without a body is left out.
 */
export const schemaReferences = {
${output.references}  deliveryHeaders: 'asyncapi#/$defs/DeliveryHeaders',
  problem: 'openapi#/$defs/Problem',
  world: 'control#/$defs/World',
} as const;
`;
}

export function writeSchemaTable(sources: string[]): string {
  return `${banner(...sources)}import collections from './schemas.json' with { type: 'json' };

export interface SchemaCollection {
  readonly $id: string;
  /** JSON Schema 2020-12; every reference stays inside the collection. \`x-rule\` names the rule or the open point that a failing keyword breaks, \`x-message\` what would be right. */
  readonly $defs: Readonly<Record<string, object>>;
}

/** One collection for each document. */
export const schemas = collections as Readonly<Record<'openapi' | 'asyncapi' | 'authorization' | 'control', SchemaCollection>>;
`;
}

/** A schema of a document as a JSON Schema of its own, with all schemas that it refers to. */
export function standalone(document: JsonObject, name: string, references: Set<string>): JsonObject {
  const named = [...references].filter((reference) => reference !== `#/components/schemas/${name}`);
  const definitions = named.map((reference): [string, Json] => [
    reference.split('/').at(-1) ?? '',
    asJsonSchema(resolve(document, { $ref: reference })),
  ]);
  const own = asJsonSchema(resolve(document, { $ref: `#/components/schemas/${name}` })) as JsonObject;
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...own, $defs: Object.fromEntries(definitions) };
}
