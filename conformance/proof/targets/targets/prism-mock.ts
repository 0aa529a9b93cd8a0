import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Prism, startPrismMock } from '../prism.ts';
import { besides, type GoldenTarget } from '../target.ts';

const target: GoldenTarget = {
  is: 'prism mock, which checks requests against the contract and answers each with an example',
  stateless: true,
  async open() {
    const prism = await startPrismMock();
    const door = await openDoor(prism);
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

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Saves the time that Prism wastes, and changes nothing that it says. It never answers a body that is no JSON: whoever sends one is cut off at once,
 * not after the time that a request may take. And it answers what it was asked before as it did before: that is kept, for its lists have no end.
 */
async function openDoor(prism: Prism): Promise<Prism> {
  const kept = new Map<string, Promise<Answer>>();
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (body !== '' && !isJson(body)) throw new Error('Prism would never answer this');
    const { method, url, headers } = incoming;
    const question = JSON.stringify([method, url, headers, body]);
    const answering = kept.get(question) ?? ask(`${prism.url}${url}`, incoming, body);
    kept.set(question, answering);
    const { status, headers: answered, text } = await answering;
    response.writeHead(status, answered).end(text);
  }

  const server = createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function ask(url: string, { method = 'GET', headers }: IncomingMessage, body: string): Promise<Answer> {
  const answer = await fetch(url, { method, headers: withoutConnection(Object.entries(headers)), ...(body !== '' && { body }) });
  return { status: answer.status, headers: withoutConnection([...answer.headers]), text: await answer.text() };
}

// What belongs to the connection, or is counted anew.
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'];

function withoutConnection(headers: readonly (readonly [name: string, value: unknown])[]): Record<string, string> {
  const others = headers.filter(([name]) => !OF_THE_CONNECTION.includes(name));
  return Object.fromEntries(others.map(([name, value]) => [name, String(value)]));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
