import authorization from '../../../src/contract/generated/authorization.json' with { type: 'json' };
import control from '../../../src/contract/generated/control.json' with { type: 'json' };
import openapi from '../../../src/contract/generated/openapi.json' with { type: 'json' };

/** The part of JSON Schema that values are generated from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly uniqueItems?: boolean;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  /** Our own: values of the world under test, by their pool. */
  readonly pool?: string;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}
interface PathItem {
  readonly $ref?: string;
  readonly parameters?: readonly Parameter[];
  readonly [method: string]: unknown;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: object;
}
export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
}

export const DOORS = ['api', 'control', 'auth'] as const;
export type Door = (typeof DOORS)[number];

/** One operation under one path, as its document describes it. */
export interface Operation {
  readonly door: Door;
  readonly operationId: string;
  readonly document: Document;
  /** In capital letters. */
  readonly method: string;
  readonly path: string;
  /** An object schema for each place in which parameters stand. */
  readonly parameters: Readonly<Record<Parameter['in'], Schema>>;
  readonly body: Schema | undefined;
  /** Whether the body is a form. Otherwise it is JSON. */
  readonly form: boolean;
  /** Such as 200 or 4XX. */
  readonly statuses: readonly string[];
  /** The collection of a world that the path names, if any. */
  readonly collection?: string;
}

export function resolve<T extends { readonly $ref?: string }>(document: Document, value: T): T {
  if (value.$ref === undefined) return value;
  const keys = value.$ref.slice('#/'.length).split('/');
  return resolve(document, keys.reduce((at, key) => (at as Record<string, object>)[key]!, document as object) as T);
}

function operationsOf(door: Door, document: Document, prefix = ''): Operation[] {
  return Object.entries(document.paths).flatMap(([path, reference]) => {
    const item = resolve(document, reference);
    const methods = ['get', 'put', 'post', 'delete', 'patch'].filter((method) => method in item);
    return methods.map((method) => {
      const { operationId, requestBody, responses, parameters = [] } = item[method] as DescribedOperation;
      const all = [...(item.parameters ?? []), ...parameters].map((one) => resolve(document, one));
      const [type = '', content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return {
        ...{ door, operationId, document, method: method.toUpperCase(), path: prefix + path },
        parameters: { path: objectOf(all, 'path'), query: objectOf(all, 'query'), header: objectOf(all, 'header') },
        body: content?.schema,
        form: type.includes('form'),
        statuses: Object.keys(responses),
      };
    });
  });
}

function objectOf(parameters: readonly Parameter[], place: Parameter['in']): Schema {
  const own = parameters.filter((one) => one.in === place);
  const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
  return { type: 'object', properties, required: own.filter(({ required }) => required).map(({ name }) => name) };
}

/** An operation on the collections of a world becomes one for each collection, with the body that an entity of it has. */
function eachCollection(operation: Operation): Operation[] {
  const { document, path, parameters, method, body } = operation;
  if (!path.includes('{collection}')) return [operation];
  const { enum: collections } = resolve<Schema>(document, { $ref: '#/components/schemas/Collection' });
  const world = resolve<Schema>(document, { $ref: '#/components/schemas/World' });
  return (collections as string[]).map((collection) => {
    const entities = resolve(document, world.properties![collection]!);
    const { properties, required = [] } = resolve(document, entities.additionalProperties as Schema);
    const alias = method === 'POST' && { alias: { type: 'string' } };
    const entity: Schema = { type: 'object', properties: { ...properties, ...alias }, required: method === 'PATCH' ? [] : required };
    const id: Schema = path.includes('{id}') ? { type: 'object', properties: { id: { pool: collection } }, required: ['id'] } : {};
    const inPath = { ...operation, collection, path: path.replace('{collection}', collection), parameters: { ...parameters, path: id } };
    return { ...inPath, body: body && entity };
  });
}

const string: Schema = { type: 'string' };

function form(members: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties: members, required: Object.keys(members) };
}

function grant(type: string, ...members: string[]): Schema {
  return form({ grant_type: { const: type }, ...Object.fromEntries(members.map((name) => [name, string])) });
}

const code = ['code', 'redirect_uri', 'client_id', 'code_verifier'];
/** The token requests that can succeed: the document does not say which members belong together. */
const grants = [
  grant('authorization_code', ...code, 'client_secret'),
  grant('authorization_code', ...code, 'client_assertion_type', 'client_assertion'),
  grant('refresh_token', 'refresh_token', 'client_id', 'client_secret'),
  grant('client_credentials', 'client_id', 'client_secret', 'scope'),
];

/** A login is named by the path and by the cookies of the browser that began it. */
const login = (pool: string): Pick<DescribedOperation, 'parameters'> => ({
  parameters: [
    { name: 'uid', in: 'path', required: true, schema: { pool } },
    { name: 'Cookie', in: 'header', required: true, schema: { const: `xpk_interaction=~${pool}.0~; xpk_resume=~${pool}.0~` } },
  ],
});
const answer = form({ answer: { enum: ['approve', 'deny'] }, principal: string });
const requestBody = { content: { 'application/x-www-form-urlencoded': { schema: answer } } };
const page = { 200: {}, '4XX': {} };
const redirect = { '3XX': {}, '4XX': {} };
/** What the authorization server answers beside the operations of its document. */
const pages: Document = {
  paths: {
    '/authorize/{uid}': { get: { operationId: 'resumeLogin', ...login('answered'), responses: redirect } },
    '/interaction/{uid}': {
      get: { operationId: 'showLogin', ...login('logins'), responses: page },
      post: { operationId: 'answerLogin', ...login('logins'), requestBody, responses: redirect },
    },
    '/jwks': { get: { operationId: 'metadata', responses: page } },
    '/.well-known/oauth-authorization-server': { get: { operationId: 'metadata', responses: page } },
    '/.well-known/openid-configuration': { get: { operationId: 'metadata', responses: page } },
  },
};

export const operations: readonly Operation[] = [
  ...operationsOf('api', openapi as unknown as Document),
  ...operationsOf('control', control as unknown as Document).flatMap(eachCollection),
  ...[authorization as unknown as Document, pages]
    .flatMap((document) => operationsOf('auth', document, '/auth'))
    .map((one) => (one.operationId === 'token' ? { ...one, body: { oneOf: [...grants, ...grants, one.body!] } } : one)),
];
