import { createServer, type IncomingMessage } from 'node:http';
import { Agent, request } from 'undici';
import { listen } from '../../../src/store/testing/listen.ts';
import { readText } from '../../target/send.ts';
import { type Delivery, parseRequest, type Reply, type Request } from './exchange.ts';

// These headers are not forwarded. They describe a single connection, or the next hop sets them again.
const HOP_BY_HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'date'];

function flattenHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
}

/**
 * Starts a proxy, for requests to a target and for deliveries to the checks' receivers, which use a self-signed certificate.
 * @param answer returns undefined to close the connection, so that the client fails immediately instead of waiting
 */
export async function startProxy(answer: (request: Request) => Promise<Reply | undefined>) {
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const server = createServer(async (incoming, response) => {
    try {
      const { method = 'GET', url = '/', headers } = incoming;
      const reply = await answer(parseRequest(method, url, flattenHeaders(headers), await readText(incoming)));
      if (reply === undefined) return void response.destroy();
      const isChunked = 'transfer-encoding' in reply.headers || reply.text === '';
      response.writeHead(reply.status, { ...reply.headers, ...(!isChunked && { 'content-length': Buffer.byteLength(reply.text) }) });
      response.end(reply.text);
    } catch (error) {
      console.error(`A handler threw an error: ${(error as Error).stack}`);
      response.destroy();
    }
  });
  const listening = await listen(server);
  return {
    url: listening.url,
    async forward(url: string, { method, headers, text }: Delivery): Promise<Reply> {
      const response = await request(url, { method, headers, body: text || null, dispatcher: agent });
      return { status: response.statusCode, headers: flattenHeaders(response.headers), text: await response.body.text() };
    },
    async close() {
      await agent.destroy();
      await listening.close();
    },
  };
}
