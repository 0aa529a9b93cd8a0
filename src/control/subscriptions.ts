import { type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import type { Executor } from '../store/engine.ts';
import { countByState, listNewestAttempts, summarizePending } from '../store/subscriptions.ts';
import type { Change } from '../world/change.ts';
import { readCollection } from '../world/dump.ts';
import { dumpMeta } from '../world/meta.ts';
import { lookUp } from '../world/references.ts';
import type { EntityOf } from '../world/world.ts';
import { deleteEntity, getActor, writeEntity } from '../world/write.ts';
import { toAttempt } from './delivery-views.ts';
import { type ControlDeps, type ControlHandlers, type ControlResponse, refuseRequest } from './handler.ts';

type Subscription = components['schemas']['SubscriptionInForce'];
type SubscriptionOperation = 'listSubscriptions' | 'createSubscription' | 'readSubscription' | 'patchSubscription' | 'deleteSubscription';

const PLATFORM_ACTOR = getActor('subscriptions', undefined);

/** The entities in state/subscriptions, with defaults for a new one and with the number of deliveries. */
export const subscriptionHandlers: Pick<ControlHandlers, SubscriptionOperation> = {
  async listSubscriptions(_, { store }) {
    return { status: 200, body: await store.read(listSubscriptions) };
  },
  readSubscription: ({ params }, deps) => respondWithSubscription(200, params.subscriptionId, deps),
  async createSubscription({ body }, deps) {
    const provider = body.provider === undefined ? await findDefaultProvider(body.experience, deps) : { alias: body.provider };
    if (isFailure(provider)) return provider;
    return writeSubscription({ kind: 'create', body: { types: eventTypes, ...body, provider: provider.alias } }, deps);
  },
  patchSubscription: ({ params, body }, deps) => writeSubscription({ kind: 'patch', name: params.subscriptionId, body }, deps),
  async deleteSubscription({ params }, { createContext, world }) {
    const result = await deleteEntity({ context: createContext(), world }, PLATFORM_ACTOR, 'subscriptions', params.subscriptionId);
    return isFailure(result) ? result : { status: 204 };
  },
};

async function writeSubscription(change: Change, deps: ControlDeps): Promise<ControlResponse> {
  const { createContext, world } = deps;
  const result = await writeEntity({ context: createContext(), world }, PLATFORM_ACTOR, 'subscriptions', change);
  return isFailure(result) ? result : respondWithSubscription(result.created ? 201 : 200, result.entity.alias, deps);
}

function respondWithSubscription(status: 200 | 201, name: string, { store }: ControlDeps): Promise<ControlResponse> {
  return store.read(async (db) => {
    const found = await lookUp(db, 'subscriptions', name);
    if (isFailure(found)) return found;
    return { status, body: addDeliveries({ alias: found.alias, ...found.entity }, await readFacts(db)) };
  });
}

/** Returns the Experience's provider, because only it receives the events, or else the provider of the world's first ready-made token. */
async function findDefaultProvider(
  experience: string | undefined,
  { store: { db } }: ControlDeps,
): Promise<{ readonly alias: string } | GateFailure> {
  if (experience !== undefined) {
    const found = await lookUp(db, 'experiences', experience, 'invalid', '/experience');
    return isFailure(found) ? found : { alias: found.entity.provider };
  }
  const [token] = Object.values((await dumpMeta(db)).tokens);
  const client = token && (await lookUp(db, 'clients', token.client));
  if (client && !isFailure(client)) return { alias: client.entity.provider };
  const providers = await db.selectFrom('providers').select('alias').orderBy('alias').execute();
  const [only] = providers;
  if (only !== undefined && providers.length === 1) return only;
  const known =
    only === undefined
      ? 'The world has no provider. Add one with: xpk state add providers alias=acme name=Acme'
      : `Choose one of the providers: ${providers.map(({ alias }) => alias).join(', ')}.`;
  return refuseRequest('invalid', `The subscribing provider is missing. ${known}`, '/provider');
}

async function listSubscriptions(db: Executor): Promise<Subscription[]> {
  const facts = await readFacts(db);
  return (await readCollection(db, 'subscriptions')).map((entity) => addDeliveries(entity, facts));
}

/** The number of attempts by which the health of all receivers is measured. */
const MEASURED_ATTEMPTS = 500;

const readFacts = async (db: Executor) => ({
  counts: await countByState(db),
  pending: await summarizePending(db),
  attempts: await listNewestAttempts(db, MEASURED_ATTEMPTS),
});
type Facts = Awaited<ReturnType<typeof readFacts>>;

type Entity = { readonly alias: string } & EntityOf<'subscriptions'>;

function addDeliveries(entity: Entity, facts: Facts): Subscription {
  const deliveries = { pending: 0, acknowledged: 0, exhausted: 0, held: 0 };
  for (const { subscriptionId, state, count } of facts.counts) if (subscriptionId === entity.id) deliveries[state] = count;
  return { ...entity, deliveries, health: measureHealth(entity.id, facts) } as Subscription;
}

function measureHealth(id: string | undefined, facts: Facts): Subscription['health'] {
  const attempts = facts.attempts.filter(({ subscriptionId }) => subscriptionId === id);
  const pending = facts.pending.find(({ subscriptionId }) => subscriptionId === id);
  const isAcknowledged = ({ status, error }: (typeof attempts)[number]) => error === null && status !== null && status < 300;
  const [last] = attempts;
  const lastGood = attempts.findIndex(isAcknowledged);
  const firstBad = attempts.at(lastGood < 0 ? -1 : lastGood - 1);
  return {
    attempts: attempts.length,
    acknowledged: attempts.filter(isAcknowledged).length,
    failing: pending?.failing ?? 0,
    ...(last && { lastAttempt: toAttempt(last) }),
    ...(lastGood !== 0 && firstBad && { failingSince: firstBad.at }),
    ...(pending && { nextAttemptAt: new Date(pending.dueAt).toISOString() }),
  };
}
