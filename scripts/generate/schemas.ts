/** The JSON Schemas of the contract, in one collection for each document, and the references to those that the code uses. */
import { DOCUMENTS, type DocumentName, type Documents, type Json, lookUp, reachable } from './documents.ts';
import { jsonSchemaOf, type Operation } from './operations.ts';
import { banner, block } from './write-typescript.ts';

/** References into a document's components become references into its `$defs`. */
function asJsonSchema<Node>(node: Node): Node {
  const text = JSON.stringify(node, (name, value) =>
    name === '$ref' && typeof value === 'string' ? value.replace('#/components/schemas/', '#/$defs/') : value,
  );
  return JSON.parse(text);
}

export interface Schemas {
  readonly collections: Json;
  /** Where in a collection a schema is. */
  readonly references: Json;
}

/** @param operations by document. @param events the payload schemas by event type */
export function collectSchemas(documents: Documents, operations: Partial<Record<DocumentName, Operation[]>>, events: Json): Schemas {
  const references: Record<'queries' | 'requests' | 'responses' | 'events', Json> = {
    queries: {},
    requests: {},
    responses: {},
    events: {},
  };
  const collections: Json = {};
  for (const name of DOCUMENTS) {
    const $defs: Json = asJsonSchema(documents[name].components?.schemas ?? {});
    collections[name] = { $id: name, $defs };
    /** The reference to a schema, which is added unless it is a reference itself. */
    const referenceTo = (schema: Json, added: string): string => {
      const converted = asJsonSchema(schema);
      if (typeof converted.$ref === 'string') return `${name}${converted.$ref}`;
      $defs[added] = converted;
      return `${name}#/$defs/${added}`;
    };
    for (const { id, querySchema, querySchemas, body, responses } of operations[name] ?? []) {
      if (querySchema !== undefined) references.queries[querySchema] = `${name}#/$defs/${querySchema}`;
      else if (name === 'control')
        references.queries[id] = referenceTo({ type: 'object', additionalProperties: false, properties: querySchemas }, `${id}.query`);
      if (body !== undefined) references.requests[id] = referenceTo(body, `${id}.request`);
      references.responses[id] = {};
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = jsonSchemaOf(content);
        if (schema !== undefined) references.responses[id][status] = referenceTo(schema, `${id}.${status}`);
      }
    }
    if (name === 'asyncapi')
      for (const [type, payload] of Object.entries<Json>(events)) references.events[type] = referenceTo(payload, type);
  }
  const named = { deliveryHeaders: 'asyncapi#/$defs/DeliveryHeaders', problem: 'openapi#/$defs/Problem', world: 'control#/$defs/World' };
  return { collections, references: { ...references, ...named } };
}

export function writeSchemaReferences({ references }: Schemas, sources: string[]): string {
  return `${banner(...sources)}
/**
 * Where in schemas.json a schema is, for ajv's \`getSchema\` once the collections are added: the query as a whole by name, the body by operation,
 * the answer by operation and status, the envelope by event type. An operation's status without a body is left out.
 */
export const schemaReferences = ${block(references, 3)} as const;
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
export function standalone(document: Json, name: string): Json {
  const own = `#/components/schemas/${name}`;
  const references = [...reachable(document, { $ref: own })].filter((reference) => reference !== own);
  const definitions = references.map((reference) => [reference.split('/').at(-1), lookUp(document, reference)]);
  return asJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...lookUp(document, own),
    $defs: Object.fromEntries(definitions),
  });
}
