/** The operations of an OpenAPI document, each with all of its paths. */
import { isObject, type JsonObject, objectAt, type Problems, resolve, textsAt } from './documents.ts';
import { banner, key, literal } from './write-typescript.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export interface Operation {
  id: string;
  method: string;
  paths: string[];
  scope: string | undefined;
  querySchema: string | undefined;
  pathParameters: string[];
  queryParameters: string[];
  /** The schema of the JSON body, if the operation takes one. */
  body: JsonObject | undefined;
  bodyRequired: boolean;
  /** By documented status, in the document's order. */
  responses: Record<string, JsonObject>;
  /** The operation object of the document. */
  node: JsonObject;
}

export const jsonSchemaOf = (content: JsonObject): JsonObject | undefined => {
  const type = Object.keys(content).find((name) => /[/+]json$/.test(name));
  const schema = type === undefined ? undefined : objectAt(content, type).schema;
  return isObject(schema) ? schema : undefined;
};

export function readOperations(document: JsonObject, problems: Problems): Operation[] {
  const operations = new Map<string, Operation>();
  for (const [path, reference] of Object.entries(objectAt(document, 'paths'))) {
    const item = resolve(document, reference);
    for (const method of methods) {
      const node = item[method];
      if (!isObject(node)) continue;
      const id = node.operationId;
      if (typeof id !== 'string') {
        problems.add(`${method} ${path}`, 'has no operationId');
        continue;
      }
      const known = operations.get(id);
      if (known === undefined) operations.set(id, readOperation(document, id, method, path, item, node));
      else if (known.method === method && known.node === node) known.paths.push(path);
      else problems.add(`${method} ${path}`, `its operationId ${id} is also that of ${known.method} ${known.paths[0]}`);
    }
  }
  return [...operations.values()];
}

function readOperation(document: JsonObject, id: string, method: string, path: string, item: JsonObject, node: JsonObject): Operation {
  const listed = [item.parameters, node.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  const parameters = listed.map((parameter) => resolve(document, parameter));
  const namesIn = (place: string) => parameters.filter((parameter) => parameter.in === place).map((parameter) => String(parameter.name));
  const requestBody = resolve(document, node.requestBody);
  const [security] = Array.isArray(node.security) ? node.security : [];
  const [scope] = isObject(security) ? Object.keys(security).flatMap((scheme) => textsAt(security, scheme)) : [];
  const querySchema = node['x-query-schema'];
  return {
    id,
    method,
    paths: [path],
    scope,
    querySchema: typeof querySchema === 'string' ? querySchema : undefined,
    pathParameters: namesIn('path'),
    queryParameters: namesIn('query'),
    body: jsonSchemaOf(objectAt(requestBody, 'content')),
    bodyRequired: requestBody.required === true,
    responses: Object.fromEntries(
      Object.entries(objectAt(node, 'responses')).map(([status, response]) => [status, resolve(document, response)]),
    ),
    node,
  };
}

/** `/users/{userId}` as Express writes it: `/users/:userId`. */
const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** A documented status as a number, or a range such as `2XX`. */
export const statusKey = (status: string): string | number => (/^\d+$/.test(status) ? Number(status) : status);

const successOf = (operation: Operation): string => Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? 'default';

const commonMembers = (operation: Operation): string[] => [
  `method: ${literal(operation.method)}`,
  `paths: ${literal(operation.paths)}`,
  `routes: ${literal(operation.paths.map(expressPath))}`,
];

const sharedMembers = (operation: Operation): string[] => [
  `query: ${operation.querySchema === undefined ? 'undefined' : literal(operation.querySchema)}`,
  `pathParameters: ${literal(operation.pathParameters)}`,
  `queryParameters: ${literal(operation.queryParameters)}`,
  `hasBody: ${operation.body !== undefined}`,
  `bodyRequired: ${operation.bodyRequired}`,
  `successStatus: ${literal(statusKey(successOf(operation)))}`,
  `statuses: ${literal(Object.keys(operation.responses).map(statusKey))}`,
];

const entry = (operation: Operation, members: string[]): string =>
  `  ${key(operation.id)}: {\n${members.map((member) => `    ${member},\n`).join('')}  },\n`;

const shape = `  /** In lower case. */
  method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** As in the document: \`/users/{userId}\`. */
  paths: readonly string[];
  /** The same paths as Express writes them: \`/users/:userId\`. */
  routes: readonly string[];
  /** The name of the schema that judges the query as a whole. */
  query: string | undefined;
  pathParameters: readonly string[];
  queryParameters: readonly string[];
  hasBody: boolean;
  bodyRequired: boolean;
  /** '2XX' where the specification does not show the status. */
  successStatus: number | string;
  statuses: readonly (number | string)[];
`;

/** The prefixed and the flat form of an operation's path, which are equal if the specification has only one form. */
export function pathForms(operation: Operation): { prefixed: string; flat: string } {
  const [first = ''] = operation.paths;
  const prefixed = operation.paths.find((path) => path.startsWith('/experience/')) ?? first;
  const flat = operation.paths.find((path) => !path.startsWith('/experience/')) ?? first;
  return { prefixed, flat };
}

export function writeOperations(operations: Operation[]): string {
  const entries = operations.map((operation) => {
    const forms = pathForms(operation);
    const routes = { prefixed: expressPath(forms.prefixed), flat: expressPath(forms.flat) };
    const own = [`scope: ${literal(operation.scope)}`, `forms: ${literal(forms)}`, `routeForms: ${literal(routes)}`];
    return entry(operation, [...commonMembers(operation), ...own, ...sharedMembers(operation)]);
  });
  return `${banner('openapi/openapi.yaml')}
/** One operation of the service (Endpoints). */
export interface Operation {
${shape}  scope: string;
  /** The two forms of the path (Endpoints › Path forms): the same for the users operations. */
  forms: Readonly<Record<PathForm, string>>;
  routeForms: Readonly<Record<PathForm, string>>;
}

export type PathForm = 'prefixed' | 'flat';

export const operations = {
${entries.join('')}} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
`;
}

export function writeControlOperations(operations: Operation[]): string {
  const entries = operations.map((operation) => entry(operation, [...commonMembers(operation), ...sharedMembers(operation)]));
  return `${banner('openapi/control.yaml')}
/** One operation of the control API. */
export interface ControlOperation {
${shape}}

export const controlOperations = {
${entries.join('')}} as const satisfies Record<string, ControlOperation>;

export type ControlOperationId = keyof typeof controlOperations;
`;
}
