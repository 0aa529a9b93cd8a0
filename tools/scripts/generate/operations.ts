/** Reads the operations of an OpenAPI document. An operation can have several paths. */
import { type Json, METHODS, resolve } from './documents.ts';
import { formatBanner, formatObject } from './write-typescript.ts';

export interface Operation {
  id: string;
  method: string;
  paths: string[];
  scope: string | undefined;
  querySchema: string | undefined;
  pathParameters: string[];
  queryParameters: string[];
  /** Resolved, with their schemas. */
  parameters: Json[];
  /** The schema of the JSON body, if the operation has one. */
  body: Json | undefined;
  bodyRequired: boolean;
  /** The responses by documented status, in document order. */
  responses: Record<string, Json>;
  decisions: string[];
  node: Json;
}

export function getJsonSchema(content: Json = {}): Json | undefined {
  return Object.entries(content).find(([type]) => /[/+]json$/.test(type))?.[1].schema;
}

export function readOperations(document: Json, problems: string[]): Operation[] {
  const operations = new Map<string, Operation>();
  for (const [path, reference] of Object.entries<Json>(document.paths)) {
    const item = resolve(document, reference);
    for (const method of METHODS.filter((name) => name in item)) {
      const operation = readOperation(document, method, path, item);
      const known = operations.get(operation.id);
      if (known === undefined) operations.set(operation.id, operation);
      else if (known.node === operation.node) known.paths.push(path);
      else problems.push(`${method} ${path}: its operationId ${operation.id} is also used for ${known.method} ${known.paths[0]}`);
    }
  }
  return [...operations.values()];
}

function readOperation(document: Json, method: string, path: string, item: Json): Operation {
  const node: Json = item[method];
  const parameters = [...(item.parameters ?? []), ...(node.parameters ?? [])].map((parameter: Json) => resolve(document, parameter));
  const listNames = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const requestBody = resolve(document, node.requestBody ?? {});
  const [scopes = []] = Object.values<string[]>(node.security?.[0] ?? {});
  const responses = Object.entries<Json>(node.responses).map(([status, response]) => [status, resolve(document, response)]);
  return {
    id: node.operationId,
    method,
    paths: [path],
    scope: scopes[0],
    querySchema: node['x-query-schema'],
    pathParameters: listNames('path'),
    queryParameters: listNames('query'),
    parameters,
    body: getJsonSchema(requestBody.content),
    bodyRequired: requestBody.required === true,
    responses: Object.fromEntries(responses),
    decisions: node['x-decisions'] ?? [],
    node,
  };
}

/** Converts a path to Express syntax: `/users/{userId}` becomes `/users/:userId`. */
const toExpressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** A range such as `2XX` stays a string. */
const toStatusKey = (status: string): string | number => (/^\d+$/.test(status) ? Number(status) : status);

const OPERATION_MEMBERS = `  method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** The paths as written in the OpenAPI document, such as \`/users/{userId}\`. */
  paths: readonly string[];
  /** The \`paths\` in the syntax of Express, such as \`/users/:userId\`. */
  routes: readonly string[];
  /** The name of the schema that validates the query as a whole. */
  query: string | undefined;
  pathParameters: readonly string[];
  queryParameters: readonly string[];
  hasBody: boolean;
  bodyRequired: boolean;
  /** The status of a success. '2XX' if the specification does not document the status. */
  successStatus: number | string;
  statuses: readonly (number | string)[];
`;

/** Both are equal if the operation has only one path. */
export function getPathForms({ paths }: Operation): { prefixed: string; flat: string } {
  const [first = ''] = paths;
  const prefixed = paths.find((path) => path.startsWith('/experience/')) ?? first;
  const flat = paths.find((path) => !path.startsWith('/experience/')) ?? first;
  return { prefixed, flat };
}

function formatOperations(operations: Operation[], isService: boolean): string {
  const entries = operations.map((operation) => {
    const { id, method, paths, scope, querySchema, pathParameters, queryParameters, body, bodyRequired, responses } = operation;
    const forms = getPathForms(operation);
    const routeForms = { prefixed: toExpressPath(forms.prefixed), flat: toExpressPath(forms.flat) };
    const statuses = Object.keys(responses).map(toStatusKey);
    return [
      id,
      {
        ...{ method, paths, routes: paths.map(toExpressPath) },
        ...(isService && { scope, forms, routeForms }),
        ...{ query: querySchema, pathParameters, queryParameters, hasBody: body !== undefined, bodyRequired },
        ...{ successStatus: statuses.find((status) => String(status).startsWith('2')) ?? 'default', statuses },
      },
    ];
  });
  return formatObject(Object.fromEntries(entries), 2);
}

export function writeOperations(operations: Operation[]): string {
  return `${formatBanner('openapi/openapi.yaml')}
/** One operation of the service (Endpoints). */
export interface Operation {
${OPERATION_MEMBERS}  scope: string;
  /** The path in both forms (Endpoints › Path forms). The two forms are equal for operations on users. */
  forms: Readonly<Record<PathForm, string>>;
  routeForms: Readonly<Record<PathForm, string>>;
}

export type PathForm = 'prefixed' | 'flat';

export const operations = ${formatOperations(operations, true)} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
`;
}

export function writeControlOperations(operations: Operation[]): string {
  return `${formatBanner('openapi/control.yaml')}
/** One operation of the control API. */
export interface ControlOperation {
${OPERATION_MEMBERS}}

export const controlOperations = ${formatOperations(operations, false)} as const satisfies Record<string, ControlOperation>;

export type ControlOperationId = keyof typeof controlOperations;
`;
}
