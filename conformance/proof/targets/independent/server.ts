import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BreachName } from './breaches.ts';
import { authorize, exchange } from './oauth.ts';
import { OAuthError } from './oauth-error.ts';
import { Operator } from './operator.ts';
import { GENERIC_FAILURE, Problem } from './problem.ts';
import { answerRequest } from './router.ts';
import { Service } from './service.ts';
import type { Reply } from './types.ts';

const BASE_PATH = '/edge';
const AUTH_PATH = '/idp';

export interface RunningServer {
  baseUrl: string;
  authUrl: string;
  operator: Operator;
  /** With undefined, the server follows all rules again. */
  setBreach(breach: BreachName | undefined): void;
  close(): Promise<void>;
}

export async function startServer(): Promise<RunningServer> {
  const service = new Service();
  const server = createServer((request, response) => {
    serve(service, request, response).catch(() => response.destroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve);
  await promise;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.baseUrl = origin + BASE_PATH;
  service.authUrl = origin + AUTH_PATH;
  const close = async (): Promise<void> => {
    service.close();
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  };
  const setBreach = (breach: BreachName | undefined): void => {
    service.breach = breach;
  };
  return { baseUrl: service.baseUrl, authUrl: service.authUrl, operator: new Operator(service), setBreach, close };
}

async function serve(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  try {
    send(response, dispatch(service, request, text), 'application/json');
  } catch (thrown) {
    if (thrown instanceof OAuthError) {
      send(response, { status: thrown.status, body: thrown.body() }, 'application/json');
      return;
    }
    const problem = thrown instanceof Problem ? thrown : new Problem(500, undefined, GENERIC_FAILURE);
    const body = problem.body();
    if (service.breach === 'limit-without-trace-id' && problem.status === 429) delete body.traceId;
    send(response, { status: problem.status, body, headers: problem.headers }, 'application/problem+json');
  }
}

function dispatch(service: Service, request: IncomingMessage, text: string): Reply {
  const [path = '', ...queries] = (request.url ?? '').split('?');
  const query = new URLSearchParams(queries.join('?'));
  const { method = 'GET', headers } = request;
  if (path === `${AUTH_PATH}/authorize` && method === 'GET') return authorize(service, query);
  if (path === `${AUTH_PATH}/oauth/token` && method === 'POST') return exchange(service, headers['content-type'] ?? '', text);
  if (!path.startsWith(`${BASE_PATH}/`)) throw new Problem(404);
  return answerRequest(service, { method, path: path.slice(BASE_PATH.length), query, authorization: headers.authorization, text });
}

function send(response: ServerResponse, reply: Reply, contentType: string): void {
  const text = reply.body === undefined ? undefined : JSON.stringify(reply.body);
  response.writeHead(reply.status, { ...reply.headers, ...(text === undefined ? {} : { 'CONTENT-TYPE': contentType }) });
  response.end(text);
}
