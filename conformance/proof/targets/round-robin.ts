import { Agent, createServer, request } from 'node:http';
import { listen } from '../../../src/store/testing/listen.ts';

/** Starts a proxy that forwards each request to the next address, even if requests share a connection. */
export async function startRoundRobin(addresses: readonly string[]) {
  const agent = new Agent({ keepAlive: true });
  let forwarded = 0;

  const server = createServer((incoming, response) => {
    const { hostname, port } = new URL(addresses[forwarded++ % addresses.length]!);
    const { method, url: path, rawHeaders: headers } = incoming;
    const outgoing = request({ agent, hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.statusMessage, answer.rawHeaders);
      answer.on('error', () => response.destroy()).pipe(response);
    });
    outgoing.on('error', () => incoming.socket.resetAndDestroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  const listening = await listen(server);
  const close = async () => {
    await listening.close();
    agent.destroy();
  };
  return { url: listening.url, close, [Symbol.asyncDispose]: close };
}
