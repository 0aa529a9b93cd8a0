import { COLLECTIONS, entityTypes, listOwnerCollections } from '../../../src/world/entities.ts';
import type { EntityType } from '../../../src/world/entity.ts';
import { type Collection, getSchemaName } from '../../../src/world/world.ts';
import { type Json, METHODS, resolve } from './documents.ts';

const listFilters = (collection: Collection): string[] => [
  ...Object.keys(listOwnerCollections(collection)),
  ...(collection === 'assignments' ? ['target'] : []),
];
const FILTERS = new Set(COLLECTIONS.flatMap(listFilters));

const createReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const toNullable = (schema: Json): Json => ({ oneOf: [schema, { type: 'null' }] });

export function expandEntityPaths(document: Json): Json {
  const paths = Object.entries<Json>(document.paths).flatMap(([path, item]) => {
    if (!path.includes('{collection}')) return [[path, item]];
    return Object.keys(entityTypes).map((name) => {
      const collection = name as Collection;
      return [path.replace('{collection}', collection), toCollectionItem(document, item, collection)];
    });
  });
  const schemas = Object.keys(entityTypes).flatMap((name) => Object.entries(createSchemas(document, name as Collection)));
  const { components } = document;
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...components, schemas: { ...components.schemas, ...Object.fromEntries(schemas) } },
  };
}

function createSchemas(document: Json, collection: Collection): Json {
  const { fixed = [], generated = [], alwaysSet = [], parts } = entityTypes[collection] as EntityType;
  const entity: Json = document.components.schemas[getSchemaName(collection)];
  const { required = [], properties, additionalProperties: _, ...annotations } = entity;
  const name = getSchemaName(collection);
  const alias = { type: 'string', description: 'The name of the entity. Default: its id.' };
  const removeMembers = (omitted: readonly string[], change = (_: string, schema: Json) => schema) =>
    Object.fromEntries(
      Object.entries<Json>(properties).flatMap(([member, schema]) => (omitted.includes(member) ? [] : [[member, change(member, schema)]])),
    );
  /** Null removes a member, or an entry in a map of levels. */
  const toPatchMember = (member: string, schema: Json) => {
    const entries = resolve(document, schema).additionalProperties;
    const isLevels = member === parts?.levels?.member;
    const changed = isLevels ? { ...schema, additionalProperties: toNullable(entries) } : schema;
    return required.includes(member) || alwaysSet.includes(member) ? changed : toNullable(changed);
  };
  return {
    [`${name}Entity`]: {
      ...annotations,
      required: ['alias', ...('id' in properties ? ['id'] : []), ...required],
      properties: { alias: { ...alias, description: 'The name of the entity.' }, ...properties },
    },
    [`${name}Create`]: { ...annotations, required, properties: { alias, ...removeMembers(generated) } },
    [`${name}Put`]: {
      ...annotations,
      description: 'The members of the entity. If the entity exists, members that cannot change may be omitted.',
      required: required.filter((member: string) => !fixed.includes(member)),
      properties: { alias, ...removeMembers(generated) },
    },
    [`${name}Patch`]: {
      ...annotations,
      description: 'The members to change. Null removes a member.',
      properties: removeMembers([...fixed, ...generated, 'id'], toPatchMember),
    },
  };
}

function toCollectionItem(document: Json, item: Json, collection: Collection): Json {
  const name = getSchemaName(collection);
  const isNotCollectionParameter = ({ name: parameter }: Json) => parameter !== 'collection';
  const parameters = (item.parameters ?? []).map((parameter: Json) => resolve(document, parameter)).filter(isNotCollectionParameter);
  /** The kit refuses a filter by a member that the collection does not have. */
  const isOfCollection = ({ name: parameter }: Json) => !FILTERS.has(parameter) || listFilters(collection).includes(parameter);
  const operations = METHODS.filter((method) => method in item).map((method) => {
    const { operationId, requestBody, responses, ...operation } = item[method];
    const isList = operationId === 'listCollection';
    const body = { post: 'Create', put: 'Put', patch: 'Patch' }[method];
    const getSentSchema = (response: Json) => ({
      ...response,
      content: { 'application/json': { schema: createReference(isList ? `${name}s` : `${name}Entity`) } },
    });
    const withBodies = Object.entries<Json>(responses).map(([status, response]) => [
      status,
      response.content ? getSentSchema(response) : response,
    ]);
    return [
      method,
      {
        operationId: isList ? `list${name}Entities` : operationId.replace('Entity', `${name}Entity`),
        'x-operation': operationId,
        ...operation,
        ...(isList && { parameters: operation.parameters.filter(isOfCollection) }),
        ...(requestBody && {
          requestBody: { ...requestBody, content: { 'application/json': { schema: createReference(`${name}${body}`) } } },
        }),
        responses: Object.fromEntries(withBodies),
      },
    ];
  });
  return { parameters, ...Object.fromEntries(operations) };
}
