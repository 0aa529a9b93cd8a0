/** Generates the collections for Postman and Bruno in examples/collections from the published document and its recorded examples. */
import type { RecordedExample } from '../examples/record.ts';
import type { Json } from './documents.ts';
import type { Operation } from './operations.ts';

interface CollectionRequest {
  readonly folder: string;
  /** The name of the file for Bruno. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly body?: object | undefined;
  readonly status: number;
}

interface Variables {
  readonly baseUrl: string;
  readonly token: string;
}

const NAME = 'Experience Provider Kit';
const DESCRIPTION =
  'Requests to a kit with the demo world. They succeed in this order. The first request resets the world, so that they succeed again. `token` is a ready-made access token.';
const RESET: CollectionRequest = {
  folder: 'world',
  id: 'reset',
  name: 'Resets the demo world',
  description: 'A request to the control API of the kit. The service has no such operation.',
  method: 'post',
  path: '/_control/reset',
  body: { to: 'seed' },
  status: 200,
};
/** Requests that change something come after those that only read, and what is deleted can be created again. */
const METHOD_ORDER = ['get', 'put', 'delete', 'post'];

/** @param recorded the contents of openapi/examples.json */
export function writeCollections(operations: readonly Operation[], recorded: Json, variables: Variables): ReadonlyMap<string, string> {
  const listed = operations.flatMap((operation) =>
    (recorded[operation.id] as RecordedExample[]).filter(isRepeatable).map((example) => createRequest(operation, example)),
  );
  const order = ({ method }: CollectionRequest) => METHOD_ORDER.indexOf(method);
  const requests = [RESET, ...listed.sort((a, b) => a.folder.localeCompare(b.folder) || order(a) - order(b))];
  return new Map([['examples/collections/postman.json', writePostman(requests, variables)], ...writeBruno(requests, variables)]);
}

/** A cursor is valid only in the kit that has returned it. */
const isRepeatable = ({ status, parameters = {} }: RecordedExample) => status < 400 && parameters.cursor === undefined;

function createRequest({ id, node, method, paths, pathParameters }: Operation, example: RecordedExample): CollectionRequest {
  const parameters = Object.entries(example.parameters ?? {});
  const query = parameters
    .filter(([name]) => !pathParameters.includes(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const values = Object.fromEntries(parameters);
  const path = paths[0]!.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
  return {
    folder: node.tags[0],
    id: `${id}-${example.name}`,
    name: `${node.summary.replace(/\.$/, '')} (${example.name.replaceAll('-', ' ')})`,
    description: example.summary ?? '',
    method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    body: example.body,
    status: example.status,
  };
}

function writePostman(requests: readonly CollectionRequest[], variables: Variables): string {
  const toItem = ({ name, description, method, path, body, status }: CollectionRequest) => ({
    name,
    request: {
      method: method.toUpperCase(),
      header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      ...(body && { body: { mode: 'raw', raw: formatBody(body), options: { raw: { language: 'json' } } } }),
      url: splitUrl(path),
      description,
    },
    event: [
      {
        listen: 'test',
        script: { type: 'text/javascript', exec: [`pm.test('The status is ${status}', () => pm.response.to.have.status(${status}));`] },
      },
    ],
  });
  const folders = Map.groupBy(requests, ({ folder }) => folder);
  const collection = {
    info: { name: NAME, description: DESCRIPTION, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: [...folders].map(([name, members]) => ({ name, item: members.map(toItem) })),
  };
  return `${JSON.stringify(collection, undefined, 2)}\n`;
}

const formatBody = (body: object) => JSON.stringify(body, undefined, 2);

function splitUrl(path: string): object {
  const [pathname = '', query] = path.split('?');
  const pairs = query?.split('&').map((pair) => pair.split('='));
  return {
    raw: `{{baseUrl}}${path}`,
    host: ['{{baseUrl}}'],
    path: pathname.slice(1).split('/'),
    ...(pairs && { query: pairs.map(([key, value]) => ({ key, value })) }),
  };
}

function writeBruno(requests: readonly CollectionRequest[], variables: Variables): ReadonlyMap<string, string> {
  const folder = 'examples/collections/bruno';
  const files = new Map<string, string>([
    [`${folder}/bruno.json`, `${JSON.stringify({ version: '1', name: NAME, type: 'collection' }, undefined, 2)}\n`],
    [`${folder}/collection.bru`, writeBrunoCollection(variables)],
  ]);
  for (const [index, request] of requests.entries())
    files.set(`${folder}/${request.folder}/${request.id}.bru`, writeBrunoRequest(request, index + 1));
  for (const [index, name] of [...new Set(requests.map((request) => request.folder))].entries())
    files.set(`${folder}/${name}/folder.bru`, writeBlocks({ meta: [`name: ${name}`, `seq: ${index + 1}`] }));
  return files;
}

const writeBrunoCollection = ({ baseUrl, token }: Variables): string =>
  writeBlocks({
    auth: ['mode: bearer'],
    'auth:bearer': ['token: {{token}}'],
    'vars:pre-request': [`baseUrl: ${baseUrl}`, `token: ${token}`],
    docs: [DESCRIPTION],
  });

function writeBrunoRequest({ name, description, method, path, body, status }: CollectionRequest, seq: number): string {
  return writeBlocks({
    meta: [`name: ${name}`, 'type: http', `seq: ${seq}`],
    [method]: [`url: {{baseUrl}}${path}`, `body: ${body === undefined ? 'none' : 'json'}`, 'auth: inherit'],
    ...(body && { 'body:json': formatBody(body).split('\n') }),
    assert: [`res.status: eq ${status}`],
    docs: [description],
  });
}

const writeBlocks = (blocks: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(blocks)
    .map(([name, lines]) => `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`)
    .join('\n');
