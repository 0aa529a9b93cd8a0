import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestInfo } from '@playwright/test';
import { Agent, request as sendRequest } from 'undici';
import { isRuleBroken } from '../../runner/evidence.ts';
import { readPathForm, splitTitle } from '../../runner/repetition.ts';
import type { Boundary } from '../../target/boundary.ts';
import { createControl } from '../../target/control.ts';
import { textOf } from '../../target/send.ts';
import type { TargetSettings } from '../../target/target-settings.ts';
import { DO_NOTHING } from './do-nothing.ts';
import { bodyOf, type Delivery, isSuccess, type Reply, type Request, requestOf } from './exchange.ts';
import { ACKNOWLEDGED, type Handlers, type Kit, type Service } from './mutant.ts';
import { findMutant } from './mutants.ts';
import { PERMITTED } from './permitted.ts';
import { checkName, isRedundant, isShown, markKill, serversFor } from './plan.ts';

export { serversFor as repetitionsOf };

/** One repetition of a check: a mutant, or a server that does nothing, that the check connects to instead of the kit. */
interface Repetition {
  readonly handlers: Handlers;
  readonly kit: Kit;
  /**
   * Entities that the check created and did not delete. The proxy deletes these entities after the check, because a mutant may hide them
   * from the check.
   */
  readonly created: Map<string, 'assignments' | 'connections'>;
  /** The URLs of the receivers of the check. The kit sends deliveries to the proxy, with the index of the receiver in the path. */
  readonly destinations: string[];
}

/** Matches the paths of deliveries. No path of the service begins with `/_deliveries`. */
const DELIVERY = /^\/_deliveries\/(\d+)$/;

const CREATES: Readonly<Record<string, 'assignments' | 'connections'>> = {
  createExperienceAssignment: 'assignments',
  createExperienceConnection: 'connections',
};

/** Starts a proxy in front of the kit. In each repetition of a check, the proxy acts as the mutant that the repetition tests. */
export async function openBoundary({ baseUrl, control: reached }: TargetSettings): Promise<Boundary> {
  if (reached === undefined) throw new Error('Mutants can only run against a kit whose control API is enabled.');
  const control = createControl(reached.url, reached.token);
  const exists: Kit['exists'] = async (collection, id) => (await control.find(collection, id)) !== undefined;
  const repetitions = new Map<string, Repetition>();

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: Error) => {
      console.error(`A mutant failed: ${error.stack}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, key = '', url = '/'] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
    const request = requestOf(incoming.method ?? 'GET', url, flat(incoming.headers), await textOf(incoming));
    const [, destination] = DELIVERY.exec(url) ?? [];
    const reply = await (destination === undefined
      ? serve(request, repetitions.get(key))
      : deliver(request, Number(destination), repetitions.get(key)));
    // Close the connection if the mutant gives no reply, so that the client fails immediately instead of waiting.
    if (reply === undefined) return void response.destroy();
    response.writeHead(reply.status, { ...reply.headers, ...(reply.text !== '' && { 'content-length': Buffer.byteLength(reply.text) }) });
    response.end(reply.text);
  }

  async function serve(request: Request, repetition: Repetition | undefined): Promise<Reply> {
    const service: Service = async (asked) => {
      const reply = await forward(`${baseUrl}${asked.url}`, asked);
      const collection = CREATES[asked.operation ?? ''];
      if (collection !== undefined && isSuccess(reply)) repetition?.created.set(bodyOf(reply).id, collection);
      if (asked.method === 'DELETE' && isSuccess(reply)) for (const id of Object.values(asked.path)) repetition?.created.delete(id);
      return reply;
    };
    return repetition?.handlers.requests?.(request, service, repetition.kit) ?? service(request);
  }

  async function deliver(delivery: Delivery, index: number, repetition: Repetition | undefined): Promise<Reply | undefined> {
    const destinationUrl = repetition?.destinations[index];
    if (repetition === undefined || destinationUrl === undefined) return ACKNOWLEDGED;
    const send = (made: Delivery) => forward(destinationUrl, made).catch(() => undefined);
    return repetition.handlers.deliveries
      ? repetition.handlers.deliveries(delivery, Object.assign(send, { destinationUrl }), repetition.kit)
      : send(delivery);
  }

  function openRepetition(test: TestInfo): Repetition {
    const destinations: string[] = [];
    const toAll = async (delivery: Delivery) =>
      void (await Promise.all(destinations.map((destination) => forward(destination, delivery).catch(() => undefined))));
    const kit = { control, exists, deliver: toAll };
    const repetition = { handlers: serverOf(test)?.start() ?? {}, kit, created: new Map(), destinations };
    repetitions.set(test.testId, repetition);
    return repetition;
  }
  const repetitionOf = (test: TestInfo): Repetition => repetitions.get(test.testId) ?? openRepetition(test);

  return {
    isRedundant(test) {
      const mutant = mutantOf(test);
      return mutant !== undefined && isRedundant(checkOf(test), mutant.name);
    },
    async ended(test) {
      const mutant = mutantOf(test);
      const isKilled = isShown(mutant, test.attachments) ?? isRuleBroken(test.errors[0]?.message);
      if (mutant !== undefined && isKilled) markKill(checkOf(test), mutant.name);
      for (const [id, collection] of [...repetitionOf(test).created].reverse())
        if (await exists(collection, id)) await control.remove(collection, id);
    },
    baseUrlFor(test) {
      repetitionOf(test);
      return `http://127.0.0.1:${port}/${test.testId}`;
    },
    destinationFor: (test, url) => `http://127.0.0.1:${port}/${test.testId}/_deliveries/${repetitionOf(test).destinations.push(url) - 1}`,
    async close() {
      await agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const nameOf = ({ title }: TestInfo): string => splitTitle(title).repetition ?? '';
const mutantOf = (test: TestInfo) => findMutant(nameOf(test));
const serverOf = (test: TestInfo) => mutantOf(test) ?? [...DO_NOTHING, ...PERMITTED].find(({ name }) => name === nameOf(test));

function checkOf({ titlePath, title }: TestInfo): string {
  return checkName({ file: titlePath[0] ?? '', title: splitTitle(title).title, form: readPathForm(titlePath) });
}

// Headers that are not forwarded. They describe a single connection, or are computed again when a message is sent.
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'date'];

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_CONNECTION.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
}

// Do not verify certificates, because the receiver of a check uses a self-signed certificate.
const agent = new Agent({ connect: { rejectUnauthorized: false } });

async function forward(url: string, { method, headers, text }: Delivery): Promise<Reply> {
  const response = await sendRequest(url, { method, headers, body: text || null, dispatcher: agent });
  return { status: response.statusCode, headers: flat(response.headers), text: await response.body.text() };
}
