import type { TestInfo } from '@playwright/test';
import type { Boundary, BoundaryModule } from '../../target/boundary.ts';
import { getReport } from '../../target/check-report.ts';
import { createControl } from '../../target/control.ts';
import type { TargetSettings } from '../../target/target-settings.ts';
import { type Delivery, isSuccess, parseBody, parseRequest, type Reply, type Request } from './exchange.ts';
import { startProxy } from './forward.ts';
import { ACKNOWLEDGEMENT, type Handlers, type Kit, type Service } from './mutant.ts';
import { findMutant } from './mutants.ts';
import { isRedundant, listServers, markKill, readCheck, showsBreach } from './plan.ts';
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

  const proxy = await startProxy(async (incoming) => {
    const [, key = '', url = '/'] = /^\/([^/]+)(\/.*)$/.exec(incoming.url) ?? [];
    const request = parseRequest(incoming.method, url, incoming.headers, incoming.text);
    const [, destination] = DELIVERY.exec(url) ?? [];
    return destination === undefined
      ? handleRequest(request, repetitions.get(key))
      : handleDelivery(request, Number(destination), repetitions.get(key));
  });
  const { forward } = proxy;
  const deliver = (url: string, delivery: Delivery) => forward(url, delivery).catch(() => undefined);

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
    const subscriber = Object.assign((changed: Delivery) => deliver(destinationUrl, changed), { destinationUrl });
    return repetition.handlers.handleDelivery?.(delivery, subscriber, repetition.kit) ?? subscriber(delivery);
  }

  function openRepetition(test: TestInfo): Repetition {
    const destinations: string[] = [];
    const deliverToAll = async (delivery: Delivery) => void (await Promise.all(destinations.map((url) => deliver(url, delivery))));
    const kit = { control, exists, deliver: deliverToAll };
    const { server } = readCheck(test.titlePath);
    const { start } = findMutant(server) ?? STUB_SERVERS.find(({ name }) => name === server) ?? {};
    const repetition = { handlers: start?.() ?? {}, kit, created: new Map(), destinations };
    repetitions.set(test.testId, repetition);
    return repetition;
  }
  const findRepetition = (test: TestInfo): Repetition => repetitions.get(test.testId) ?? openRepetition(test);

  return {
    isRedundant(test) {
      const { check, server } = readCheck(test.titlePath);
      return findMutant(server) !== undefined && isRedundant(check, server);
    },
    async handleCheckEnd(test) {
      const { check, server } = readCheck(test.titlePath);
      const mutant = findMutant(server);
      if (mutant !== undefined && showsBreach(getReport(test), mutant)) markKill(check, server);
      for (const [id, collection] of [...findRepetition(test).created].reverse())
        if (await exists(collection, id)) await control.remove(collection, id);
    },
    baseUrlFor(test) {
      findRepetition(test);
      return `${proxy.url}/${test.testId}`;
    },
    destinationFor: (test, url) => `${proxy.url}/${test.testId}/_deliveries/${findRepetition(test).destinations.push(url) - 1}`,
    close: proxy.close,
  };
}
