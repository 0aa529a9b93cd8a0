import { createGateFailure, type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { getSigningSecret } from '../domain/deliveries.ts';
import type { Executor } from '../store/engine.ts';
import type { Tables } from '../store/schema.ts';
import { countByState, listSubscriptions } from '../store/subscriptions.ts';
import type { Change } from '../world/change.ts';
import { lookUp } from '../world/references.ts';
import { deleteEntity, getActor, writeEntity } from '../world/write.ts';
import { type ControlDeps, type ControlHandlers, type ControlResponse, refuseRequest } from './handler.ts';

type Schemas = components['schemas'];
type SubscriptionOperation = 'listSubscriptions' | 'createSubscription' | 'readSubscription' | 'patchSubscription' | 'deleteSubscription';

const PLATFORM_ACTOR = getActor('subscriptions', undefined);

/** Subscriptions with the service's member names (Events › Subscription), unlike /_control/state/subscriptions. */
export const subscriptionHandlers: Pick<ControlHandlers, SubscriptionOperation> = {
  async listSubscriptions(_, { store }) {
    return { status: 200, body: await store.read((db) => selectSubscriptions(db)) };
  },
  async readSubscription({ params }, deps) {
    const found = await lookUp(deps.store.db, 'subscriptions', params.subscriptionId);
    return isFailure(found) ? found : respondWithSubscription(200, found.id, deps);
  },
  async createSubscription({ body }, deps) {
    const provider = body.providerId === undefined ? await findDefaultProvider(body.experienceId, deps) : { alias: body.providerId };
    if (isFailure(provider)) return provider;
    return writeSubscription({ kind: 'create', body: toEntity({ ...body, providerId: provider.alias }) }, deps);
  },
  patchSubscription: ({ params, body }, deps) =>
    writeSubscription({ kind: 'patch', name: params.subscriptionId, body: toEntity(body) }, deps),
  async deleteSubscription({ params }, { createContext, world }) {
    const result = await deleteEntity({ context: createContext(), world }, PLATFORM_ACTOR, 'subscriptions', params.subscriptionId);
    return isFailure(result) ? convertPointers(result) : { status: 204 };
  },
};

async function writeSubscription(change: Change, deps: ControlDeps): Promise<ControlResponse> {
  const { createContext, world } = deps;
  const result = await writeEntity({ context: createContext(), world }, PLATFORM_ACTOR, 'subscriptions', change);
  return isFailure(result)
    ? convertPointers(result)
    : respondWithSubscription(result.created ? 201 : 200, result.entity.id ?? result.entity.alias, deps);
}

async function respondWithSubscription(status: 200 | 201, id: string, { store }: ControlDeps): Promise<ControlResponse> {
  const [body] = await store.read((db) => selectSubscriptions(db, id));
  return body ? { status, body } : refuseRequest('not-found', 'The subscription was deleted by another request.');
}

/** Pairs of a member's name in the request and its name in the stored entity. */
const ENTITY_MEMBERS = [
  ['subscriptionId', 'id'],
  ['providerId', 'provider'],
  ['experienceId', 'experience'],
] as const;

function toEntity(members: object): object {
  const names: ReadonlyMap<string, string> = new Map(ENTITY_MEMBERS);
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [names.get(name) ?? name, value]));
}

function convertPointers({ reason, detail, errors = [] }: GateFailure): GateFailure {
  const pointers = new Map(ENTITY_MEMBERS.map(([name, entityName]) => [`/${entityName}`, `/${name}`]));
  const renamed = errors.map(({ pointer, message }) => ({ pointer: pointers.get(pointer) ?? pointer, message }));
  const [first] = errors;
  const ownDetail = first === undefined ? detail : detail.replace(`${first.pointer}: `, `${renamed[0]?.pointer}: `);
  return createGateFailure(reason, ownDetail, renamed.length > 0 ? { errors: renamed } : {});
}

/** Returns the Experience's provider, because only it receives the events. Without an Experience, returns the world's only provider. */
async function findDefaultProvider(
  experience: string | undefined,
  { store: { db } }: ControlDeps,
): Promise<{ readonly alias: string } | GateFailure> {
  if (experience !== undefined) {
    const found = await lookUp(db, 'experiences', experience, 'invalid', '/experienceId');
    return isFailure(found) ? found : { alias: found.entity.provider };
  }
  const providers = await db.selectFrom('providers').select('alias').orderBy('alias').execute();
  const [only] = providers;
  if (only !== undefined && providers.length === 1) return only;
  const known = only === undefined ? 'The world has no provider.' : `The providers are: ${providers.map(({ alias }) => alias).join(', ')}.`;
  return refuseRequest('invalid', `The subscribing provider is missing. ${known}`, '/providerId');
}

async function selectSubscriptions(db: Executor, id?: string): Promise<Schemas['SubscriptionInForce'][]> {
  const rows = await listSubscriptions(db, id);
  const counts = await countByState(db, id);
  return rows.map((row) => toSubscription(row, counts));
}

function toSubscription(row: Tables['subscriptions'], counts: Awaited<ReturnType<typeof countByState>>): Schemas['SubscriptionInForce'] {
  const deliveries = { pending: 0, acknowledged: 0, exhausted: 0, held: 0 };
  for (const { subscriptionId: owner, state, count } of counts) if (owner === row.id) deliveries[state] = count;
  return {
    subscriptionId: row.id,
    alias: row.alias,
    providerId: row.provider_id,
    ...(row.experience_id !== null && { experienceId: row.experience_id }),
    types: JSON.parse(row.types) as Schemas['SubscriptionInForce']['types'],
    ...(row.destination_url !== null && { destinationUrl: row.destination_url }),
    secret: getSigningSecret(row),
    deliveryMode: row.mode === null ? null : (JSON.parse(row.mode) as Schemas['DeliveryMode']),
    deliveries,
  };
}
