import authorization from '../../../src/contract/generated/authorization.json' with { type: 'json' };
import control from '../../../src/contract/generated/control.json' with { type: 'json' };
import openapi from '../../../src/contract/generated/openapi.json' with { type: 'json' };
import type { Json } from '../../../tools/scripts/generate/documents.ts';
import { readOperations } from '../../../tools/scripts/generate/operations.ts';

export const INTERFACES = ['api', 'control', 'auth'] as const;
export type InterfaceName = (typeof INTERFACES)[number];

/** One path of an operation. An operation with two paths is listed twice. */
export interface Operation {
  readonly interfaceName: InterfaceName;
  readonly operationId: string;
  readonly document: Json;
  /** The method in upper case, such as GET. */
  readonly method: string;
  readonly path: string;
  readonly schemas: { readonly path: Json; readonly query: Json; readonly header: Json; readonly body: Json | undefined };
  /** Whether the request body is a form. If false, the body is JSON. */
  readonly isForm: boolean;
  /** `default` stands for every other 4xx. */
  readonly statuses: readonly string[];
  /** The collection in a control API path, such as `users`. */
  readonly collection?: string;
}

function listOperations(interfaceName: InterfaceName, document: Json, prefix = ''): Operation[] {
  return readOperations(document, []).map(({ id, method, paths: [path = ''], parameters, responses, node }): Operation => {
    const operationId = node['x-operation'] ?? id;
    const collection = /^\/_control\/state\/(\w+)/.exec(path)?.[1];
    const [type = '', content] = Object.entries<Json>(node.requestBody?.content ?? {})[0] ?? [];
    return {
      ...{ interfaceName, operationId, document, method: method.toUpperCase(), path: prefix + path },
      ...(collection !== undefined && { collection }),
      schemas: {
        path: collection !== undefined && path.includes('{id}') ? createIdSchema(collection) : createObjectSchema(parameters, 'path'),
        query: createObjectSchema(parameters, 'query'),
        header: createObjectSchema(parameters, 'header'),
        body: operationId === 'token' ? { oneOf: [...TOKEN_REQUEST_SCHEMAS, ...TOKEN_REQUEST_SCHEMAS, content?.schema] } : content?.schema,
      },
      isForm: type.includes('form'),
      statuses: Object.keys(responses),
    };
  });
}

function createObjectSchema(parameters: readonly Json[], location: string): Json {
  const own = parameters.filter((parameter) => parameter.in === location);
  const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
  return { type: 'object', properties, required: own.filter(({ required }) => required).map(({ name }) => name) };
}

const createIdSchema = (collection: string): Json => ({ type: 'object', properties: { id: { pool: collection } }, required: ['id'] });

/** The valid combinations of token request parameters, which the OpenAPI document does not list. */
const TOKEN_REQUEST_SCHEMAS = [
  'authorization_code code redirect_uri client_id code_verifier client_secret',
  'authorization_code code redirect_uri client_id code_verifier client_assertion_type client_assertion',
  'refresh_token refresh_token client_id client_secret',
  'client_credentials client_id client_secret scope',
].map((line) => {
  const [type, ...names] = line.split(' ');
  const properties = { grant_type: { const: type }, ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
  return { type: 'object', properties, required: Object.keys(properties) };
});

export const operations: readonly Operation[] = [
  ...listOperations('api', openapi),
  ...listOperations('control', control),
  ...listOperations('auth', authorization, '/auth'),
];
