import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startPrism } from '../../second-opinion/prism.ts';
import { besides, type GoldenTarget } from '../target.ts';

const target: GoldenTarget = {
  is: 'prism mock, which checks requests against the contract and answers each with an example',
  stateless: true,
  async open() {
    const prism = await startPrism('mock');
    const door = await openDoor(prism.url);
    return {
      baseUrl: door.url,
      profile: besides('prism-mock', 'profile.yaml'),
      async close() {
        await door.close();
        await prism.close();
      },
    };
  },
};
export default target;

/** Prism never answers a body that is no JSON. Whoever sends one is cut off at once here, instead of after the time that a request may take. */
async function openDoor(url: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (body.length > 0 && !isJson(body)) return response.destroy();
    const { method, headers } = incoming;
    const sent = request(`${url}${incoming.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    sent.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}
