import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestInfo } from '@playwright/test';
import { Agent, request as sendRequest } from 'undici';
import { listen } from '../../../src/store/testing/listen.ts';
import { readPathForm, splitTitle } from '../../runner/repetition.ts';
import type { Boundary, BoundaryModule } from '../../target/boundary.ts';
import { getReport } from '../../target/check-report.ts';
import { createControl } from '../../target/control.ts';
import { readText } from '../../target/send.ts';
import type { TargetSettings } from '../../target/target-settings.ts';
import { type Delivery, isSuccess, parseBody, parseRequest, type Reply, type Request } from './exchange.ts';
import { ACKNOWLEDGEMENT, type Handlers, type Kit, type Service } from './mutant.ts';
import { findMutant } from './mutants.ts';
import { PERMITTED_VARIANTS } from './permitted.ts';
import { formatCheckName, isRedundant, listServers, markKill, showsBreach } from './plan.ts';
import { STUB_SERVERS } from './stub-servers.ts';

export const listRepetitions: BoundaryModule['listRepetitions'] = listServers;

/** One run of a check against a mutant or a stub server. */
interface Repetition {
  readonly handlers: Handlers;
  readonly kit: Kit;
  /** Entities that the check created. The proxy deletes them after the check, because a mutant may hide them from the check's cleanup. */
  readonly created: Map<string, 'assignments' | 'connections'>;
  /** The URLs of the check's receivers. A request to the proxy's path `/_deliveries/0` goes to the first URL. */
  readonly destinations: string[];
}

/** No path of the service begins with `/_deliveries`. */
const DELIVERY = /^\/_deliveries\/(\d+)$/;

const CREATING_OPERATIONS: Readonly<Record<string, 'assignments' | 'connections'>> = {
  createExperienceAssignment: 'assignments',
  createExperienceConnection: 'connections',
};

/** Starts a proxy that acts as a different mutant in each repetition of a check. */
export async function openBoundary({ baseUrl, control: reached }: TargetSettings): Promise<Boundary> {
  if (reached === undefined) throw new Error('Mutants require a kit with an enabled control API.');
  const control = createControl(reached.url, reached.token);
  const exists: Kit['exists'] = async (collection, id) => (await control.find(collection, id)) !== undefined;
  const repetitions = new Map<string, Repetition>();

  const server = createServer((incoming, response) => {
    answerRequest(incoming, response).catch((error: Error) => {
      console.error(`A mutant threw an error: ${error.stack}`);
      response.destroy();
    });
  });
  const proxy = await listen(server);

  async function answerRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, key = '', url = '/'] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
    const request = parseRequest(incoming.method ?? 'GET', url, flattenHeaders(incoming.headers), await readText(incoming));
    const [, destination] = DELIVERY.exec(url) ?? [];
    const reply = await (destination === undefined
      ? handleRequest(request, repetitions.get(key))
      : handleDelivery(request, Number(destination), repetitions.get(key)));
    // A closed connection lets the client fail immediately instead of waiting.
    if (reply === undefined) return void response.destroy();
    response.writeHead(reply.status, { ...reply.headers, ...(reply.text !== '' && { 'content-length': Buffer.byteLength(reply.text) }) });
    response.end(reply.text);
  }

  async function handleRequest(request: Request, repetition: Repetition | undefined): Promise<Reply> {
    const sendToKit: Service = async (sent) => {
      const reply = await forward(`${baseUrl}${sent.url}`, sent);
      const collection = CREATING_OPERATIONS[sent.operation ?? ''];
      if (collection !== undefined && isSuccess(reply)) repetition?.created.set(parseBody(reply).id, collection);
      if (sent.method === 'DELETE' && isSuccess(reply)) for (const id of Object.values(sent.path)) repetition?.created.delete(id);
      return reply;
    };
    return repetition?.handlers.handleRequest?.(request, sendToKit, repetition.kit) ?? sendToKit(request);
  }

  async function handleDelivery(delivery: Delivery, index: number, repetition: Repetition | undefined): Promise<Reply | undefined> {
    const destinationUrl = repetition?.destinations[index];
    if (repetition === undefined || destinationUrl === undefined) return ACKNOWLEDGEMENT;
    const sendDelivery = (changed: Delivery) => forward(destinationUrl, changed).catch(() => undefined);
    return repetition.handlers.handleDelivery
      ? repetition.handlers.handleDelivery(delivery, Object.assign(sendDelivery, { destinationUrl }), repetition.kit)
      : sendDelivery(delivery);
  }

  function openRepetition(test: TestInfo): Repetition {
    const destinations: string[] = [];
    const sendToAll = async (delivery: Delivery) =>
      void (await Promise.all(destinations.map((destination) => forward(destination, delivery).catch(() => undefined))));
    const kit = { control, exists, deliver: sendToAll };
    const repetition = { handlers: readServer(test)?.start() ?? {}, kit, created: new Map(), destinations };
    repetitions.set(test.testId, repetition);
    return repetition;
  }
  const findRepetition = (test: TestInfo): Repetition => repetitions.get(test.testId) ?? openRepetition(test);

  return {
    isRedundant(test) {
      const mutant = readMutant(test);
      return mutant !== undefined && isRedundant(describeCheck(test), mutant.name);
    },
    async handleCheckEnd(test) {
      const mutant = readMutant(test);
      const isKilled = showsBreach(getReport(test), mutant);
      if (mutant !== undefined && isKilled) markKill(describeCheck(test), mutant.name);
      for (const [id, collection] of [...findRepetition(test).created].reverse())
        if (await exists(collection, id)) await control.remove(collection, id);
    },
    baseUrlFor(test) {
      findRepetition(test);
      return `${proxy.url}/${test.testId}`;
    },
    destinationFor: (test, url) => `${proxy.url}/${test.testId}/_deliveries/${findRepetition(test).destinations.push(url) - 1}`,
    async close() {
      await agent.destroy();
      await proxy.close();
    },
  };
}

const readMutantName = ({ title }: TestInfo): string => splitTitle(title).repetition ?? '';
const readMutant = (test: TestInfo) => findMutant(readMutantName(test));
const readServer = (test: TestInfo) =>
  readMutant(test) ?? [...STUB_SERVERS, ...PERMITTED_VARIANTS].find(({ name }) => name === readMutantName(test));

function describeCheck({ titlePath, title }: TestInfo): string {
  return formatCheckName({ file: titlePath[0] ?? '', title: splitTitle(title).title, form: readPathForm(titlePath) });
}

// These headers are not forwarded. They describe a single connection, or the next hop sets them again.
const HOP_BY_HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'date'];

function flattenHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
}

// The checks' receivers use a self-signed certificate.
const agent = new Agent({ connect: { rejectUnauthorized: false } });

async function forward(url: string, { method, headers, text }: Delivery): Promise<Reply> {
  const response = await sendRequest(url, { method, headers, body: text || null, dispatcher: agent });
  return { status: response.statusCode, headers: flattenHeaders(response.headers), text: await response.body.text() };
}
