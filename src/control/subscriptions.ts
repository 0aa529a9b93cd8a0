import type { components } from '../contract/generated/control.ts';
import { signingSecret } from '../domain/deliveries.ts';
import type { GateRefusal } from '../http/answer.ts';
import type { Executor } from '../store/engine.ts';
import type { Tables } from '../store/schema.ts';
import { countByState, listSubscriptions } from '../store/subscriptions.ts';
import type { Change } from '../world/change.ts';
import { findEntity } from '../world/dump.ts';
import { hintFor } from '../world/references.ts';
import type { StateRefusal } from '../world/refusal.ts';
import { actorOn, deleteEntity, writeEntity } from '../world/write.ts';
import { type ControlAnswer, type ControlDeps, type ControlHandlers, cannot } from './handler.ts';
import { isRefusal, subscriptionId } from './subscription-name.ts';

type Schemas = components['schemas'];
type Operation = 'listSubscriptions' | 'createSubscription' | 'readSubscription' | 'patchSubscription' | 'deleteSubscription';

/** Subscriptions in the words of the service (Events › Subscription). They are those of state/subscriptions, and written by the same code. */
export const subscriptions: Pick<ControlHandlers, Operation> = {
  async listSubscriptions(_, { store }) {
    return { status: 200, body: await store.read((db) => shown(db)) };
  },
  async readSubscription({ params }, deps) {
    const id = await subscriptionId(params.subscriptionId ?? '', deps, 'not-found');
    return isRefusal(id) ? id : read(200, id ?? '', deps);
  },
  async createSubscription({ body }, deps) {
    const asked = body as Schemas['SubscriptionRequest'];
    const provider = asked.providerId ?? (await providerFor(asked.experienceId, deps));
    if (isRefusal(provider)) return provider;
    return write({ kind: 'create', body: inWordsOfWorlds({ ...asked, providerId: provider }) }, deps);
  },
  patchSubscription({ params, body }, deps) {
    return write({ kind: 'patch', name: params.subscriptionId ?? '', body: inWordsOfWorlds(body as object) }, deps);
  },
  async deleteSubscription({ params }, { service, world }) {
    const result = await deleteEntity(
      { context: service(), world },
      actorOn('subscriptions', undefined),
      'subscriptions',
      params.subscriptionId ?? '',
    );
    return 'refused' in result ? refused(result) : { status: 204 };
  },
};

async function write(change: Change, deps: ControlDeps): Promise<ControlAnswer> {
  const { service, world } = deps;
  const result = await writeEntity({ context: service(), world }, actorOn('subscriptions', undefined), 'subscriptions', change);
  return 'refused' in result ? refused(result) : read(result.created ? 201 : 200, result.entity.id ?? result.entity.alias, deps);
}

async function read(status: 200 | 201, id: string, { store }: ControlDeps): Promise<ControlAnswer> {
  const [body] = await store.read((db) => shown(db, id));
  return body ? { status, body } : cannot('not-found', 'The subscription was deleted by another request at this moment.');
}

/** What the members are called in a world. */
const IN_WORLDS: Readonly<Record<string, string>> = { subscriptionId: 'id', providerId: 'provider', experienceId: 'experience' };

function inWordsOfWorlds(members: object): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [IN_WORLDS[name] ?? name, value]));
}

/** With pointers into what was sent here. */
function refused({ refused: why, detail, errors = [] }: StateRefusal): GateRefusal {
  const renamed = new Map(Object.entries(IN_WORLDS).map(([here, there]) => [`/${there}`, `/${here}`]));
  const pointers = errors.map(({ pointer, message }) => ({ pointer: renamed.get(pointer) ?? pointer, message }));
  const [first] = errors;
  const told = first === undefined ? detail : detail.replace(`${first.pointer}: `, `${pointers[0]?.pointer}: `);
  return { gate: `control.${why}`, detail: told, ...(pointers.length > 0 && { errors: pointers }) };
}

/** Events go to the provider of their Experience: any other would never get one. */
async function providerFor(experience: string | undefined, { store: { db } }: ControlDeps): Promise<string | GateRefusal> {
  if (experience !== undefined) {
    const known = await findEntity(db, 'experiences', experience);
    return (
      known?.entity.provider ??
      missing('/experienceId', `There is no experience "${experience}".${await hintFor(db, 'experiences', experience)}`)
    );
  }
  const providers = await db.selectFrom('providers').select('alias').orderBy('alias').execute();
  const [only] = providers;
  if (only !== undefined && providers.length === 1) return only.alias;
  const there = only === undefined ? 'There is none yet.' : `There are: ${providers.map(({ alias }) => alias).join(', ')}.`;
  return missing('/providerId', `Whose subscription it is has to be said. ${there}`);
}

function missing(pointer: string, message: string): GateRefusal {
  return { ...cannot('invalid', `${pointer}: ${message}`), errors: [{ pointer, message }] };
}

async function shown(db: Executor, id?: string): Promise<Schemas['SubscriptionInForce'][]> {
  const rows = await listSubscriptions(db, id);
  const counts = await countByState(db, id);
  return rows.map((row) => inForce(row, counts));
}

function inForce(row: Tables['subscriptions'], counts: Awaited<ReturnType<typeof countByState>>): Schemas['SubscriptionInForce'] {
  const deliveries = { pending: 0, acknowledged: 0, exhausted: 0, held: 0 };
  for (const { subscriptionId: owner, state, count } of counts) if (owner === row.id) deliveries[state] = count;
  return {
    subscriptionId: row.id,
    alias: row.alias,
    providerId: row.provider_id,
    ...(row.experience_id !== null && { experienceId: row.experience_id }),
    types: JSON.parse(row.types) as Schemas['SubscriptionInForce']['types'],
    ...(row.destination_url !== null && { destinationUrl: row.destination_url }),
    secret: signingSecret(row),
    deliveryMode: row.mode === null ? null : (JSON.parse(row.mode) as Schemas['DeliveryMode']),
    deliveries,
  };
}
