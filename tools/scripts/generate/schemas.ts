/** Collects the JSON Schemas in each document, and creates references to them. */
import { DOCUMENTS, type DocumentName, type Documents, type Json, listReachable, lookUpReference } from './documents.ts';
import { getJsonSchema, type Operation } from './operations.ts';
import { formatBanner, formatObject } from './write-typescript.ts';

function toJsonSchema<Node>(node: Node): Node {
  const text = JSON.stringify(node, (name, value) =>
    name === '$ref' && typeof value === 'string' ? value.replace('#/components/schemas/', '#/$defs/') : value,
  );
  return JSON.parse(text);
}

export interface Schemas {
  readonly collections: Json;
  readonly references: Json;
}

/** @param events each event type's payload schema */
export function collectSchemas(documents: Documents, operations: Partial<Record<DocumentName, Operation[]>>, events: Json): Schemas {
  const references: Record<'queries' | 'requests' | 'responses' | 'events', Json> = {
    queries: {},
    requests: {},
    responses: {},
    events: {},
  };
  const collections: Json = {};
  for (const name of DOCUMENTS) {
    const $defs: Json = toJsonSchema(documents[name].components?.schemas ?? {});
    collections[name] = { $id: name, $defs };
    const createReference = (schema: Json, inlineName: string): string => {
      const converted = toJsonSchema(schema);
      if (typeof converted.$ref === 'string') return `${name}${converted.$ref}`;
      $defs[inlineName] = converted;
      return `${name}#/$defs/${inlineName}`;
    };
    for (const { id, querySchema, parameters, body, responses } of operations[name] ?? []) {
      if (querySchema !== undefined) references.queries[querySchema] = `${name}#/$defs/${querySchema}`;
      else if (name === 'control') {
        const properties = Object.fromEntries(parameters.filter((each) => each.in === 'query').map((each) => [each.name, each.schema]));
        references.queries[id] = createReference({ type: 'object', additionalProperties: false, properties }, `${id}.query`);
      }
      if (body !== undefined) references.requests[id] = createReference(body, `${id}.request`);
      references.responses[id] = {};
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = getJsonSchema(content);
        if (schema !== undefined) references.responses[id][status] = createReference(schema, `${id}.${status}`);
      }
    }
    if (name === 'asyncapi')
      for (const [type, payload] of Object.entries<Json>(events)) references.events[type] = createReference(payload, type);
  }
  const named = { deliveryHeaders: 'asyncapi#/$defs/DeliveryHeaders', problem: 'openapi#/$defs/Problem', world: 'control#/$defs/World' };
  return { collections, references: { ...references, ...named } };
}

export function writeSchemaReferences({ references }: Schemas, sources: string[]): string {
  return `${formatBanner(...sources)}
/**
 * References to the schemas in schemas.json, for \`getSchema\` of ajv. Query schemas are listed by name, request body schemas by operation,
 * response schemas by operation and status, and event schemas by type. Responses without a body are left out.
 */
export const schemaReferences = ${formatObject(references, 3)} as const;
`;
}

export function writeSchemaTable(sources: string[]): string {
  return `${formatBanner(...sources)}import collections from './schemas.json' with { type: 'json' };

export interface SchemaCollection {
  readonly $id: string;
  /**
   * JSON Schemas (2020-12) by name. A reference never points out of the collection. If a keyword with an \`x-rule\` fails, the value breaks
   * the rule or the decision with that id. \`x-message\` describes the valid values.
   */
  readonly $defs: Readonly<Record<string, object>>;
}

/** The collection of each document. */
export const schemas = collections as Readonly<Record<'openapi' | 'asyncapi' | 'authorization' | 'control', SchemaCollection>>;
`;
}

export function extractSchema(document: Json, name: string): Json {
  const own = `#/components/schemas/${name}`;
  const references = [...listReachable(document, { $ref: own })].filter((reference) => reference !== own);
  const definitions = references.map((reference) => [reference.split('/').at(-1), lookUpReference(document, reference)]);
  return toJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...lookUpReference(document, own),
    $defs: Object.fromEntries(definitions),
  });
}
