import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type ExperienceProviderEvent, eventTypes } from '../../../contract/generated/events.ts';
import { isUuid } from '../../../contract/uuid.ts';
import { createStore, type ListedEntity } from './consumer-store.ts';
import type { Fault, Style } from './faults.ts';

export interface ConsumerOptions {
  readonly fault?: Fault | undefined;
  readonly style?: Style | undefined;
  readonly api: { readonly url: string; readonly token: string; readonly accounts: readonly string[]; readonly providerId: string };
}

interface Delivery {
  readonly id: string;
  readonly event: ExperienceProviderEvent;
}

/** A `fault` breaks one rule, and a `style` is correct but unusual. */
export async function startConsumer({ fault, style, api }: ConsumerOptions) {
  let store = createStore(fault, style);
  /** Acknowledged deliveries that have not been applied yet. */
  const inbox: Delivery[] = [];
  const appliesLater = style === 'applies-in-batches' || fault === 'acknowledges-before-storing';
  let timer: NodeJS.Timeout | undefined;
  let busy = 0;
  let restarting: NodeJS.Timeout | undefined;
  let working: Promise<unknown> = Promise.resolve();

  /** Runs one task at a time. Otherwise, another delivery could change an entity between comparison and write. */
  function runInTurn(work: () => Promise<void>): Promise<void> {
    if (fault === 'races') return work();
    const done = working.then(work);
    working = done.catch(() => undefined);
    return done;
  }

  async function applyDelivery({ id, event }: Delivery): Promise<void> {
    const key = getDeduplicationKey(id, event);
    if (store.isKnown(key)) return;
    if (fault !== 'never-seeds') await seedUsers(event.data.accountId);
    if (style === 'reads-new-entities-from-the-api' && !store.knows(event)) await refreshEntity(event);
    if (style === 'reads-entities-from-the-api') {
      await refreshEntity(event);
      return store.recordAppliedEvent(key, id);
    }
    const write = store.prepareChange(event);
    store.recordAppliedEvent(key, id);
    if (fault === 'races' || fault === 'acknowledges-failures' || fault === 'drops-bursts') await delay(20);
    write?.();
  }

  function getDeduplicationKey(id: string, event: ExperienceProviderEvent): string {
    if (fault === 'deduplicates-by-body') return JSON.stringify(event);
    if (fault === 'deduplicates-by-type' && 'connectionId' in event.data) return `${event.type} ${event.data.connectionId}`;
    return id;
  }

  async function refreshEntity({ data }: ExperienceProviderEvent): Promise<void> {
    const [kind, path, id] =
      'connectionId' in data
        ? (['connections', '/experience/connections', data.connectionId] as const)
        : 'assignmentId' in data
          ? (['assignments', '/experience/assignments', data.assignmentId] as const)
          : (['users', '/users', data.userId] as const);
    const response = await fetchApi(`${path}/${id}`);
    if (response.status === 404) store.remove(id);
    else store.addListed(kind, (await response.json()) as ListedEntity);
  }

  async function applyInbox(): Promise<void> {
    timer = undefined;
    for (const delivery of inbox.splice(0)) await applyDelivery(delivery).catch(() => applyLater(delivery));
  }

  function applyLater(delivery: Delivery): void {
    inbox.push(delivery);
    // With this fault, only `view` applies the inbox, because a timer could do so before `restart` on a busy machine.
    if (fault === 'acknowledges-before-storing') return;
    timer ??= setTimeout(() => void runInTurn(applyInbox), 50);
  }

  /** @returns the status; undefined without a response */
  async function handleDelivery(headers: IncomingHttpHeaders, event: ExperienceProviderEvent): Promise<number | undefined> {
    if (fault === 'never-responds') return undefined;
    if (fault === 'redirects') return 308;
    if (fault === 'responds-404') return 404;
    if (fault === 'refuses-json' && headers['content-type']?.includes('json')) return 415;
    if (fault === 'refuses-unknown-members' && Object.keys(event).length > 5) return 400;
    if (fault === 'parses-provider-id' && 'providerId' in event.data && !isUuid(event.data.providerId)) return 400;
    if (fault === 'exits-on-early-activation' && event.type.endsWith('.activated') && !store.knows(event)) return closeServer();
    if (style === 'exits-once-and-is-restarted' && event.type.endsWith('.activated') && !store.knows(event) && !restarting) {
      restarting = setTimeout(() => server.listen(port, '127.0.0.1'), 300);
      return closeServer();
    }
    if (fault === 'refuses-unknown-types' && !eventTypes.includes(event.type)) return 400;
    if (busy > 0 && style === 'responds-503-while-busy') return 503;
    if (style === 'refuses-events-of-unknown-entities' && !event.type.endsWith('.created') && !store.knows(event)) return 503;
    if (style === 'refuses-later-instants' && Date.parse(event.data.updatedAt) > Date.now() + 5000) return 400;
    if (style === 'ignores-other-providers' && 'providerId' in event.data && event.data.providerId !== api.providerId) return 204;
    if (busy > 0 && fault === 'acknowledges-failures') return 204;
    if (busy > 10 && fault === 'drops-bursts') return 204;
    if (fault === 'ignores-foreign-numbers' && 'targetValue' in event.data && /^\+[^1]/.test(event.data.targetValue)) return 204;
    const delivery = { id: String(headers['webhook-id']), event };
    if (!appliesLater) {
      busy++;
      await runInTurn(() => applyDelivery(delivery)).finally(() => busy--);
      return 204;
    }
    applyLater(delivery);
    return 202;
  }

  async function seedUsers(accountId: string): Promise<void> {
    if (store.seeded.has(accountId)) return;
    const users: ListedEntity[] = [];
    for await (const user of readList(`/users?accountId=${accountId}`)) users.push(user);
    if (fault === 'seed-replaces-users') store.removeUsers(accountId);
    for (const user of users) store.addListed('users', user);
    store.seeded.add(accountId);
  }

  const buildTypeFilter = (kind: string) =>
    fault === 'rebuilds-assignments-of-numbers' && kind === 'assignments' ? '&targetType=PHONE_NUMBER' : '';

  async function rebuildStore(): Promise<void> {
    store = createStore(fault, style);
    if (fault === 'never-rebuilds') return;
    const separator = fault === 'rebuilds-from-flat-list' ? '-' : '/';
    for (const accountId of api.accounts) {
      for (const kind of ['connections', 'assignments'] as const)
        for await (const entity of readList(`/experience${separator}${kind}?accountId=${accountId}${buildTypeFilter(kind)}`))
          store.addListed(kind, entity);
      await seedUsers(accountId);
    }
  }

  async function* readList(path: string): AsyncGenerator<ListedEntity> {
    let cursor: string | null | undefined;
    do {
      const response = await fetchApi(`${path}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      const page = (await response.json()) as { entities: ListedEntity[]; cursor?: string | null };
      yield* page.entities;
      cursor = page.cursor;
    } while (cursor && fault !== 'reads-first-page');
  }

  async function fetchApi(path: string): Promise<Response> {
    const response = await fetch(api.url + path, { headers: { authorization: `Bearer ${api.token}` } });
    if (!response.ok && response.status !== 404) throw new Error(`GET ${path}: ${response.status}`);
    return response;
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const status = await json(request)
      .then((event) => handleDelivery(request.headers, event as ExperienceProviderEvent))
      .catch(() => 503);
    if (status !== undefined) response.writeHead(status, status === 308 ? { location: '/elsewhere' } : {}).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  /** Closes all connections, as if the process had ended. */
  function closeServer(): undefined {
    server.close();
    server.closeAllConnections();
  }

  return {
    url: `http://127.0.0.1:${port}/events`,
    async view() {
      if (fault === 'acknowledges-before-storing') await runInTurn(applyInbox);
      const { connections, applied, users, ...others } = store.view();
      if (style === 'shows-connections-only') return { connections };
      const showsUsers = style !== 'shows-no-users' && fault !== 'counts-events-and-shows-no-users';
      return { connections, ...others, ...(showsUsers && { users }), ...(style !== 'shows-no-applied' && { applied }) };
    },
    /** Restarts the consumer, which loses all data outside its store. */
    async restart(): Promise<void> {
      if (fault === 'acknowledges-before-storing') inbox.length = 0;
      if (fault === 'forgets-versions-on-restart') store.forgetVersions();
      if (style === 'keeps-everything-in-memory') await rebuildStore();
    },
    loseStore: style === 'reads-entities-from-the-api' ? () => runInTurn(rebuildStore) : rebuildStore,
    async close(): Promise<void> {
      clearTimeout(timer);
      clearTimeout(restarting);
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
