import { randomUUID } from 'node:crypto';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestInfo } from '@playwright/test';
import { isBroken } from '../../runner/evidence.ts';
import { partsOf } from '../../runner/repetition.ts';
import type { Boundary } from '../../target/boundary.ts';
import { createControl } from '../../target/control.ts';
import { textOf } from '../../target/send.ts';
import type { TargetSettings } from '../../target/target-settings.ts';

import { DO_NOTHING } from './do-nothing.ts';
import { type Delivery, type Reply, type Request, requestOf } from './exchange.ts';
import { openKills } from './kills.ts';
import { ACKNOWLEDGED, type Handlers, type Kit } from './mutant.ts';
import { findMutant } from './mutants.ts';
import { checkName, readPlan, serversFor } from './plan.ts';

/** The servers that checks of this rule run against, each as a repetition of the check. */
export function repetitionsOf(rule: string | undefined): readonly string[] {
  return serversFor(rule, readPlan());
}

interface Door {
  readonly handlers: Handlers;
  readonly kit: Kit;
  /** What the service behind it made and was not asked to remove: a mutant may keep it from the check. */
  readonly made: Map<string, 'assignments' | 'connections'>;
  /** Where deliveries of the check go to. */
  readonly destinations: string[];
}

/** No path of the service begins so. */
const DELIVERIES = '_deliveries';
const DELIVERY = new RegExp(`^/${DELIVERIES}/(\\d+)$`);

const MAKES = { createExperienceAssignment: 'assignments', createExperienceConnection: 'connections' } as const;
const REMOVES = ['deleteExperienceAssignment', 'deleteExperienceConnection'];

/** Stands in front of the target: in each repetition of a check as the server that the repetition is for. */
export async function openBoundary({ baseUrl, control: reached }: TargetSettings): Promise<Boundary> {
  if (reached === undefined) throw new Error('Mutants stand before a kit with a control API.');
  const control = createControl(reached.url, reached.token);
  const exists: Kit['exists'] = async (collection, id) => (await control.find(collection, id)) !== undefined;
  const agent = new Agent({ keepAlive: true });
  const doors = new Map<string, Door>();
  const keys = new WeakMap<TestInfo, string>();
  const kills = openKills(readPlan().folder);

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: Error) => {
      console.error(`the mutant itself went wrong: ${error.stack}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(incoming);
    const [, key = '', url = '/'] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
    const door = doors.get(key);
    const [method, headers] = [incoming.method ?? 'GET', flat(incoming.headers)];
    const [, destination] = DELIVERY.exec(url) ?? [];
    const reply =
      destination === undefined
        ? await served(requestOf(method, url, headers, text), door)
        : await delivered({ method, headers, text }, door?.destinations[Number(destination)], door);
    // Who gets no answer notices it by the end of the connection.
    if (reply === undefined) return void response.destroy();
    response.writeHead(reply.status, { ...reply.headers, ...(reply.text !== '' && { 'content-length': Buffer.byteLength(reply.text) }) });
    response.end(reply.text);
  }

  async function served(request: Request, door: Door | undefined): Promise<Reply> {
    if (door === undefined) return forward(`${baseUrl}${request.url}`, request, agent);
    const { requests = (asked, service) => service(asked) } = door.handlers;
    return requests(request, (asked) => serve(asked, door), door.kit);
  }

  async function serve(asked: Request, door: Door): Promise<Reply> {
    const reply = await forward(`${baseUrl}${asked.url}`, asked, agent);
    if (asked.operation === undefined || reply.status >= 300) return reply;
    const collection = MAKES[asked.operation as keyof typeof MAKES];
    if (collection !== undefined) door.made.set((JSON.parse(reply.text) as { id: string }).id, collection);
    if (REMOVES.includes(asked.operation)) for (const id of Object.values(asked.path)) door.made.delete(id);
    return reply;
  }

  async function delivered(delivery: Delivery, destination: string | undefined, door: Door | undefined): Promise<Reply | undefined> {
    if (door === undefined || destination === undefined) return ACKNOWLEDGED;
    const { deliveries = (made, subscriber) => subscriber(made) } = door.handlers;
    const send = (made: Delivery) => forward(destination, made, agent).catch(() => undefined);
    return deliveries(delivery, Object.assign(send, { destinationUrl: destination }), door.kit);
  }

  function doorOf(test: TestInfo): { readonly key: string; readonly door: Door } {
    const known = keys.get(test);
    const found = known === undefined ? undefined : doors.get(known);
    if (known !== undefined && found !== undefined) return { key: known, door: found };
    const name = partsOf(test.title).repetition;
    const key = randomUUID();
    const destinations: string[] = [];
    const deliver = async (made: Delivery) =>
      void (await Promise.all(destinations.map((destination) => forward(destination, made, agent).catch(() => undefined))));
    const kit: Kit = { control, exists, deliver };
    const door: Door = {
      handlers: name === undefined ? {} : serverNamed(name).start(),
      kit,
      made: new Map(),
      destinations,
    };
    keys.set(test, key);
    doors.set(key, door);
    return { key, door };
  }

  return {
    isRedundant(test) {
      const mutant = mutantOf(test);
      return mutant !== undefined && kills.isRedundant(checkOf(test), mutant);
    },
    async ended(test) {
      const mutant = mutantOf(test);
      if (mutant !== undefined && isBroken(test.errors[0]?.message)) kills.add(checkOf(test), mutant);
      const made = doors.get(keys.get(test) ?? '')?.made ?? new Map<string, never>();
      for (const [id, collection] of [...made].reverse()) if (await exists(collection, id)) await control.remove(collection, id);
    },
    baseUrlFor: (test) => `http://127.0.0.1:${port}/${doorOf(test).key}`,
    destinationFor(test, url) {
      const { key, door } = doorOf(test);
      return `http://127.0.0.1:${port}/${key}/${DELIVERIES}/${door.destinations.push(url) - 1}`;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serverNamed(name: string): { start(): Handlers } {
  const found = findMutant(name) ?? DO_NOTHING.find((server) => server.name === name);
  if (found === undefined) throw new Error(`There is no mutant ${name}.`);
  return found;
}

function checkOf({ titlePath: [file = ''], title, project }: TestInfo): string {
  return checkName({ file, title: partsOf(title).title, form: project.name });
}

/** Undefined for a server that does nothing. */
function mutantOf({ title }: TestInfo): string | undefined {
  const { repetition } = partsOf(title);
  return repetition && findMutant(repetition)?.name;
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

/** The receiver's certificate is its own. */
const UNSIGNED = { agent: false as const, rejectUnauthorized: false };

function forward(url: string, { method, headers, text }: Delivery, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const sent = send(url, { method, ...(send === httpRequest ? { agent } : UNSIGNED), headers: { ...headers, ...length } }, (response) => {
      textOf(response).then((body) => resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), text: body }), reject);
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
