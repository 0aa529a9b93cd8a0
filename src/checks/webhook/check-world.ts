import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { EventType, ExperienceProviderEvent } from '../../contract/generated/events.ts';
import type { UnifiedUserPage } from '../../contract/generated/service.ts';
import { fetchWhole } from '../../contract/limited-body.ts';
import { callOperation } from '../../control-client/call.ts';
import { type ControlClient, getResponseData } from '../../control-client/client.ts';
import { type Account, chooseActors } from './actors.ts';
import { type AssignmentTarget, CheckEntities, DELETION_TYPES, type Entity, getEntityKind } from './check-entities.ts';
import { DEFAULT_SECRET } from './subscription.ts';

export interface PublishedEvent {
  readonly webhookId: string;
  readonly body: ExperienceProviderEvent;
}

export type CheckWorld = Awaited<ReturnType<typeof createCheckWorld>>;

interface Options {
  readonly url: string;
  readonly control: ControlClient;
  readonly provider?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly secret?: string | undefined;
}

const LEEWAY_MS = 20;

/** Identifies the check's own requests in the journal. */
export const OWN_TRACE_ID = randomBytes(16).toString('hex');
const TRACE_PARENT = `00-${OWN_TRACE_ID}-${OWN_TRACE_ID.slice(16)}-01`;

export async function createCheckWorld({ url, control, provider: requested, subscriptionId: id, secret = DEFAULT_SECRET }: Options) {
  const { decisions } = await getResponseData(control.GET('/_control/info'));
  const { offsetMs } = await getResponseData(control.GET('/_control/clock'));
  const actors = await chooseActors(control, requested);
  const { provider, token } = actors;
  const [smallest, ...others] = actors.accounts as [Account, ...Account[]];
  const largest = others.at(-1) ?? smallest;
  const accounts = [smallest, others.at(-2) ?? largest, largest] as const;
  const subscription = await getResponseData(callOperation(control, 'createSubscription', { provider, id, secret }));
  const entities = new CheckEntities(control, actors, decisions as Partial<Decisions>);
  const getAccount = (index: number) => accounts[index] as Account;
  const seen = new Set<string>();
  const prepared = new Map<Account, readonly Entity[]>();
  const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
  const listLag = decisions['lists.read-model-lag'];
  const isKitTime = !isSigned || decisions['events.delivery.signed-timestamp'] === 'kit-time';

  /** Skips events for the account's other Experiences. */
  async function findPublishedEvent(type: EventType, entity: Entity): Promise<PublishedEvent> {
    // The latest delivery is nearly always the right one, and a long list takes several milliseconds.
    for (const limit of [5, 50]) {
      const values = { subscription: subscription.id, type, limit };
      const deliveries = await getResponseData(callOperation(control, 'listDeliveries', values));
      for (const { id: deliveryId, webhookId } of deliveries.filter(({ id, entityId }) => entityId === entity.id && !seen.has(id))) {
        seen.add(deliveryId);
        const { body } = await getResponseData(callOperation(control, 'readDelivery', { deliveryId }));
        const event = body as unknown as ExperienceProviderEvent;
        if (event.scope.experienceId === entities.experiences.get(entity.experience)) return { webhookId, body: event };
      }
    }
    throw new Error(`The kit published no ${type} for ${entity.id}.`);
  }

  async function changeEntity(type: EventType, entity: Entity): Promise<PublishedEvent> {
    await entities.changeEntity(type, entity);
    return findPublishedEvent(type, entity);
  }

  return {
    /**
     * Three of the world's accounts: the one with the fewest users, then the two with the most users, the largest last. In a world with
     * fewer than three accounts, some are the same.
     */
    accounts,
    createdUsers: entities.createdUsers as ReadonlySet<string>,
    url,
    /** An access token to read the accounts' users. */
    token,
    /** Waits until the lists show all changes. */
    async waitForLists(): Promise<void> {
      const lags = { users: decisions['users.list.read-model-lag'], connections: listLag, assignments: listLag };
      const ends = [...entities.changedAt].map(([kind, ms]) => ms + LEEWAY_MS + Number(lags[kind]));
      await delay(Math.max(0, ...ends.map((end) => end - performance.now())));
    },
    isPrepared: (accountIndex: number) => prepared.has(getAccount(accountIndex)),
    /** The connections and assignments of `prepareAccount`. */
    listPrepared: () => [...prepared.values()].flat(),
    /** The secret that signs deliveries. Undefined if the kit signs none. */
    secret: isSigned ? subscription.secret : undefined,
    /** Returns milliseconds since the Unix epoch, for `webhook-timestamp`. */
    now: () => Date.now() + (isKitTime ? offsetMs : 0),
    /**
     * Creates a connection and an assignment for the account, so that changes to the account's users publish events. Returns the creation
     * events, or an empty list if the account is already prepared.
     */
    async prepareAccount(accountIndex: number): Promise<readonly PublishedEvent[]> {
      const account = getAccount(accountIndex);
      if (prepared.has(account)) return [];
      const [connection, assignment] = await entities.createConnectionAndAssignment(account);
      prepared.set(account, [connection, assignment]);
      return [
        await findPublishedEvent('experience.connection.created', connection),
        await changeEntity('experience.connection.activated', connection),
        await findPublishedEvent('experience.assignment.created', assignment),
      ];
    },
    async createEntity(type: EventType, accountIndex: number, targetType?: AssignmentTarget) {
      const entity = await entities.create(getEntityKind(type), getAccount(accountIndex), targetType);
      return { entity, event: await findPublishedEvent(type, entity) };
    },
    changeEntity,
    readUsers: (account: Account) => listUsers(url, token, account),
    async deletePreparedEntities() {
      const events: PublishedEvent[] = [];
      for (const entity of [...prepared.values()].flat().reverse()) events.push(await changeEntity(DELETION_TYPES[entity.kind], entity));
      prepared.clear();
      return events;
    },
    /** Removes the check's subscription and all its entities from the kit. */
    async close() {
      await callOperation(control, 'deleteSubscription', { subscriptionId: subscription.id });
      await entities.deleteAll();
    },
  };
}

async function listUsers(url: string, token: string, account: Account): Promise<{ ids: readonly string[]; count: number | undefined }> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  for (;;) {
    const query = new URLSearchParams({ accountId: account.id, pageSize: '200', ...(cursor && { cursor }) });
    const response = await fetchWhole(`${url}/users?${query}`, {
      headers: { authorization: `Bearer ${token}`, traceparent: TRACE_PARENT },
    });
    if (!response.ok) throw new Error(`The kit responded to GET /users with ${response.status}: ${await response.text()}`);
    const page = (await response.json()) as UnifiedUserPage;
    ids.push(...page.entities.map(({ id }) => id));
    cursor = page.cursor;
    if (!cursor) return { ids, count: page.count };
  }
}
