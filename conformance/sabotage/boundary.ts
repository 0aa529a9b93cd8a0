import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestInfo } from '@playwright/test';
import type { Boundary } from '../support/boundary.ts';
import { createControl } from '../support/control.ts';
import { partsOf } from '../support/repetition.ts';
import type { TargetSettings } from '../support/target-settings.ts';
import { type Reply, type Request, requestOf } from './exchange.ts';
import { checkName, type Plan, readPlan, readSabotageSettings, titleOf } from './plan.ts';
import { saboteurNamed } from './registry.ts';
import type { Behind, Sabotage } from './saboteur.ts';

/** What the service said while no saboteur was there. */
export interface Note {
  readonly check: string;
  readonly request: Request;
  readonly reply: Reply;
}

/** The saboteurs that the checks of this title meet. Undefined: none, and they stay as they are. */
export function repetitionsOf(title: string): readonly string[] | undefined {
  planned ??= byTitle(readPlan(readSabotageSettings()) ?? {});
  return planned.get(title);
}

let planned: ReadonlyMap<string, readonly string[]> | undefined;

function byTitle(plan: Plan): NonNullable<typeof planned> {
  const names = Map.groupBy(Object.entries(plan), ([check]) => titleOf(check));
  return new Map([...names].map(([title, entries]) => [title, [...new Set(entries.flatMap(([, each]) => each))]]));
}

interface Door {
  readonly check: string;
  readonly sabotage: Sabotage;
  /** What the service behind it made and was not asked to remove: a saboteur may keep it from the check. */
  readonly made: Map<string, 'assignments' | 'connections'>;
}

const MAKES = { createExperienceAssignment: 'assignments', createExperienceConnection: 'connections' } as const;

/** Stands before the target: in each repetition of a check as the saboteur that it is for, and taking notes where there is no plan. */
export async function openBoundary({ baseUrl, control: reached }: TargetSettings): Promise<Boundary> {
  const settings = readSabotageSettings();
  if (reached === undefined) throw new Error('Saboteurs stand before a kit with a control API.');
  const control = createControl(reached.url, reached.token);
  const behind: Behind = { control, exists: async (collection, id) => (await control.find(collection, id)) !== undefined };
  const agent = new Agent({ keepAlive: true });
  const doors = new Map<string, Door>();
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
    const reply = await (door?.sabotage ?? pass)(request, (asked) => serve(asked, door), behind);
    if (notes && door) appendFileSync(notes, `${JSON.stringify({ check: door.check, request, reply } satisfies Note)}\n`);
    response.writeHead(reply.status, { ...reply.headers, ...(reply.text !== '' && { 'content-length': Buffer.byteLength(reply.text) }) });
    response.end(reply.text);
  }

  async function serve(asked: Request, door: Door | undefined): Promise<Reply> {
    const reply = await forward(baseUrl, asked, agent);
    const collection = MAKES[asked.operation as keyof typeof MAKES];
    if (collection !== undefined && reply.status < 300) door?.made.set((JSON.parse(reply.text) as { id: string }).id, collection);
    return reply;
  }

  return {
    async ended(test) {
      const made = doors.get(keys.get(test) ?? '')?.made ?? new Map<string, never>();
      for (const [id, collection] of [...made].reverse()) if (await behind.exists(collection, id)) await control.remove(collection, id);
    },
    baseUrlFor(test) {
      const known = keys.get(test);
      if (known !== undefined) return `http://127.0.0.1:${port}/${known}`;
      const [file = ''] = test.titlePath;
      const { title, repetition: name } = partsOf(test.title);
      const check = checkName({ file, title, form: test.project.name });
      const key = randomUUID();
      keys.set(test, key);
      doors.set(key, { check, sabotage: name === undefined ? pass : saboteurNamed(name).start(), made: new Map() });
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
