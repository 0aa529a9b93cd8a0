import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestInfo } from '@playwright/test';
import type { Boundary } from '../support/boundary.ts';
import { createControl } from '../support/control.ts';
import type { TargetSettings } from '../support/target-settings.ts';
import { type Reply, type Request, requestOf } from './exchange.ts';
import { checkName, readPlan, readSabotageSettings } from './plan.ts';
import { saboteurNamed } from './registry.ts';
import type { Behind, Sabotage } from './saboteur.ts';

/** What the service said while no saboteur was there. */
export interface Note {
  readonly check: string;
  readonly request: Request;
  readonly reply: Reply;
}

/** Stands before the target: in each repetition of a check as the saboteur that the plan names, and taking notes where there is no plan. */
export async function openBoundary({ baseUrl, control: reached }: TargetSettings): Promise<Boundary> {
  const settings = readSabotageSettings();
  const plan = readPlan(settings);
  if (reached === undefined) throw new Error('Saboteurs stand before a kit with a control API.');
  const control = createControl(reached.url, reached.token);
  const behind: Behind = { control, exists: async (collection, id) => (await control.find(collection, id)) !== undefined };
  const agent = new Agent({ keepAlive: true });
  const doors = new Map<string, { readonly check: string; readonly sabotage: Sabotage }>();
  const keys = new WeakMap<TestInfo, string>();
  const notes = settings.notes && join(settings.notes, `${randomUUID()}.jsonl`);

  const pass: Sabotage = (request, service) => service(request);
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: Error) => {
      console.error(`the saboteur itself went wrong: ${error.stack}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const [, key = '', url = '/'] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
    const door = doors.get(key);
    const headers = flat(incoming.headers);
    const request = requestOf(incoming.method ?? 'GET', url, headers, Buffer.concat(chunks).toString());
    const reply = await (door?.sabotage ?? pass)(request, (asked) => forward(baseUrl, asked, agent), behind);
    if (notes && door) appendFileSync(notes, `${JSON.stringify({ check: door.check, request, reply } satisfies Note)}\n`);
    response.writeHead(reply.status, { ...reply.headers, ...(reply.text !== '' && { 'content-length': Buffer.byteLength(reply.text) }) });
    response.end(reply.text);
  }

  return {
    baseUrlFor(test) {
      const known = keys.get(test);
      if (known !== undefined) return `http://127.0.0.1:${port}/${known}`;
      const check = checkName({ file: test.file, title: test.title, form: test.project.name });
      const name = plan?.[check]?.[test.repeatEachIndex];
      const key = randomUUID();
      keys.set(test, key);
      doors.set(key, { check, sabotage: name === undefined ? pass : saboteurNamed(name).start() });
      return `http://127.0.0.1:${port}/${key}`;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// What belongs to the connection, or is counted anew.
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'date'];

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_CONNECTION.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
}

function forward(baseUrl: string, { method, url, headers, text }: Request, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const sent = httpRequest(`${baseUrl}${url}`, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
