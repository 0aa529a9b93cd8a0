import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../../../src/store/testing/listen.ts';
import { authorize, exchange } from './oauth.ts';
import { OAuthError, Problem } from './problem.ts';
import { answerRequest } from './router.ts';
import { type Reply, Service } from './service.ts';

const BASE_PATH = '/edge';
const AUTH_PATH = '/idp';

export async function startServer() {
  const service = new Service();
  const { url, port, close } = await listen(
    createServer((request, response) => {
      serve(service, request, response).catch(() => response.destroy());
    }),
  );
  service.baseUrl = url + BASE_PATH;
  service.authUrl = url + AUTH_PATH;
  return {
    service,
    port,
    async [Symbol.asyncDispose](): Promise<void> {
      service.closing.abort();
      await close();
    },
  };
}

async function serve(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  try {
    send(response, await dispatch(service, request, body), 'application/json');
  } catch (thrown) {
    const error = thrown instanceof Problem || thrown instanceof OAuthError ? thrown : new Problem(500);
    send(response, { status: error.status, body: error.body(), headers: error.headers }, error.contentType);
  }
}

function dispatch(service: Service, request: IncomingMessage, text: string): Reply | Promise<Reply> {
  const [path = '', ...queries] = (request.url ?? '').split('?');
  const query = new URLSearchParams(queries.join('?'));
  const { method = 'GET', headers } = request;
  if (path === `${AUTH_PATH}/authorize` && method === 'GET') return authorize(service, query);
  if (path === `${AUTH_PATH}/oauth/token` && method === 'POST') return exchange(service, headers['content-type'] ?? '', text);
  if (!path.startsWith(`${BASE_PATH}/`)) throw new Problem(404);
  return answerRequest(service, { method, path: path.slice(BASE_PATH.length), query, authorization: headers.authorization, text });
}

function send(response: ServerResponse, { status, headers, body }: Reply, contentType: string): void {
  response.writeHead(status, { ...headers, ...(body !== undefined && { 'CONTENT-TYPE': contentType }) });
  response.end(body && JSON.stringify(body));
}
