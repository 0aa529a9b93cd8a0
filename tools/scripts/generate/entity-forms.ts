import { entityTypes } from '../../../src/world/entities.ts';
import type { EntityType } from '../../../src/world/entity.ts';
import { type Collection, getSchemaName, SINGULAR_NOUNS } from '../../../src/world/world.ts';
import { isObject, type Json, resolve } from './documents.ts';
import { formatBanner, formatObject } from './write-typescript.ts';

const KEPT_KEYWORDS = [
  ...[
    'type',
    'enum',
    'const',
    'minimum',
    'exclusiveMinimum',
    'maximum',
    'pattern',
    'properties',
    'required',
    'items',
    'additionalProperties',
  ],
  ...['description', 'default'],
];

/** Of several alternatives, an input accepts the first. */
export function toField(document: Json, node: Json): Json {
  const { $ref: _, ...own } = node;
  const all: Json = { ...resolve(document, node), ...own };
  const [first] = all.oneOf ?? [];
  if (first) return { ...toField(document, first), ...(all.description && { description: all.description }) };
  const kept = KEPT_KEYWORDS.filter((keyword) => keyword in all && all[keyword] !== false);
  return Object.fromEntries(
    kept.map((keyword) => {
      const value = all[keyword];
      if (keyword === 'type') return [keyword, [value].flat()[0]];
      if (keyword === 'properties') return [keyword, toFields(document, value)];
      return [keyword, isObject(value) ? toField(document, value) : value];
    }),
  );
}

const toFields = (document: Json, properties: Json): Json =>
  Object.fromEntries(Object.entries<Json>(properties).map(([name, schema]) => [name, toField(document, schema)]));

function toForm(document: Json, collection: Collection): Json {
  const { references, fixed = [], generated = [], parts, useCases } = entityTypes[collection] as EntityType;
  const { properties, required = [] }: Json = document.components.schemas[getSchemaName(collection)];
  const { propertyNames }: Json = document.components.schemas[`${getSchemaName(collection)}s`];
  const { description } = toField(document, propertyNames);
  return {
    singular: SINGULAR_NOUNS[collection],
    actor: useCases ? 'portal' : 'platform',
    alias: { type: 'string', ...(description && { description }) },
    members: toFields(document, properties),
    required,
    references,
    ...(parts?.levels && { levels: parts.levels }),
    fixed: 'id' in properties ? ['id', ...fixed] : fixed,
    generated,
  };
}

export function writeEntityForms(document: Json): string {
  const forms = Object.fromEntries(Object.keys(entityTypes).map((name) => [name, toForm(document, name as Collection)]));
  return `${formatBanner('openapi/schemas/world.yaml')}
import type { components } from './control.ts';

type Collection = components['schemas']['Collection'];

/** An input of a form: a JSON Schema without references and conditions. */
export interface Field {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly const?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly items?: Field;
  readonly additionalProperties?: Field;
  readonly description?: string;
  readonly default?: string | number | boolean;
}

/** The entities of a collection. */
export interface EntityForm {
  readonly singular: string;
  /** The default actor of a change. */
  readonly actor: 'portal' | 'platform';
  readonly alias: Field;
  /** The members in the schema's order. */
  readonly members: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
  /** The members that refer to an entity, with that entity's collection. */
  readonly references: Readonly<Record<string, Collection>>;
  /** The member that is a map of levels, and the collection whose entities are the keys. */
  readonly levels?: { readonly member: string; readonly collection: Collection };
  /** Members that cannot change. */
  readonly fixed: readonly string[];
  /** Members that the service sets. */
  readonly generated: readonly string[];
}

export const entityForms: Readonly<Record<Collection, EntityForm>> = ${formatObject(forms, 3)};
`;
}
