import type { components } from '../../contract/generated/control.ts';
import type { EventType } from '../../contract/generated/events.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { type DeliveryFilter, type DeliveryRow, listAttempts, listDeliveries, listEvents } from '../../store/delivery-list.ts';
import type { Executor } from '../../store/engine.ts';
import { listAssignedExperiences } from '../../store/experiences.ts';
import type { Tables } from '../../store/schema.ts';
import { listSubscriptions } from '../../store/subscriptions.ts';
import { findEntity } from '../../world/dump.ts';
import type { StoredEntity } from '../../world/entity.ts';
import type { ControlDeps } from '../handler.ts';

type Schemas = components['schemas'];
type Recipient = Schemas['ExplainedRecipient'];
type Reason = Schemas['NoEventReason'];
type EventFilter = Pick<DeliveryFilter, 'type' | 'entityId' | 'subscriptionId' | 'since'>;

const MAX_EVENTS = 5;
const MAX_DELIVERIES = 1000;
const MAX_REQUESTS = 3;
const MAX_ACCOUNTS = 5;

/**
 * Explains which subscriptions receive the newest matching events, and why the others do not. If no event matches, explains why none was
 * published.
 */
export async function explainEvents(filter: EventFilter, deps: ControlDeps): Promise<Schemas['EventExplanation']> {
  const { db } = deps.store;
  const { subscriptionId, ...ofEvent } = filter;
  const subscriptions = await listSubscriptions(db, subscriptionId);
  const rows = await listEvents(db, ofEvent, MAX_EVENTS);
  const events: Schemas['ExplainedEvent'][] = [];
  for (const row of rows) {
    const { id, type, timestamp, experience_id: experienceId, entity_id: entityId } = row;
    const deliveries = await listDeliveries(db, { eventId: id, subscriptionId }, MAX_DELIVERIES);
    const recipients = await explainRecipients(row, deliveries, subscriptions, deps);
    events.push({ id, type, timestamp, experienceId, entityId, subscriptions: recipients });
  }
  const reasons = events.length > 0 ? [] : await explainNoEvent(filter, subscriptions, deps);
  return { text: formatExplanation(events, reasons), events, reasons };
}

export async function explainRecipients(
  event: Tables['events'],
  deliveries: readonly DeliveryRow[],
  subscriptions: readonly Tables['subscriptions'][],
  { store: { db }, clock }: ControlDeps,
): Promise<Recipient[]> {
  const recipients: Recipient[] = [];
  for (const delivery of deliveries) recipients.push(await toRecipient(db, delivery, clock.now()));
  const others = subscriptions.filter((one) => deliveries.every(({ subscription_id }) => subscription_id !== one.id));
  for (const other of others) recipients.push({ subscription: other.alias, subscriptionId: other.id, ...explainMismatch(other, event) });
  return recipients;
}

function formatExplanation(events: readonly Schemas['ExplainedEvent'][], reasons: readonly Reason[]): string {
  const lines = events.flatMap(({ type, entityId, timestamp, subscriptions }) => [
    `${type} about ${entityId}, published at ${timestamp}:`,
    ...subscriptions.map(({ subscription, subscriptionId, text }) => `  ${subscription ?? subscriptionId}: ${text}`),
  ]);
  return [summarizeEvents(events), ...reasons.map(({ text }) => text), ...lines].join('\n');
}

function summarizeEvents(events: readonly Schemas['ExplainedEvent'][]): string {
  if (events.length === 0) return 'No matching event was published.';
  if (events.every(({ subscriptions }) => subscriptions.length === 0)) return 'The event was published, but there is no subscription.';
  return events.length === 1 ? 'One matching event was published.' : `The newest ${events.length} matching events:`;
}

async function toRecipient(db: Executor, row: DeliveryRow, now: number): Promise<Recipient> {
  const { id, alias, subscription_id: subscriptionId, state, attempts } = row;
  const dueAt = Number(row.due_at);
  const last = (await listAttempts(db, id)).at(-1);
  const result = last && `attempt ${last.number}: ${last.error ?? `status ${last.status}`}`;
  const texts: Readonly<Record<typeof state, string>> = {
    acknowledged: `acknowledged (${result}).`,
    pending: `pending (${result ?? 'no attempt has ended'}). ${
      dueAt > now
        ? `Next attempt at ${new Date(dueAt).toISOString()} of kit time${attempts === 0 ? ', because of the delivery mode' : ''}. To send it now: xpk redeliver ${id}`
        : 'An attempt is due or under way.'
    }`,
    held: `held by the delivery mode. Send it with: xpk release ${alias ?? subscriptionId}`,
    exhausted: `not acknowledged, and the retry schedule has ended (${result}). Send it again with: xpk redeliver ${id}`,
  };
  const nextAttemptAt = state === 'pending' ? { nextAttemptAt: new Date(dueAt).toISOString() } : {};
  return { subscription: alias, subscriptionId, result: state, text: texts[state], deliveryId: id, ...nextAttemptAt };
}

/** Uses the subscription's current state to explain why it has no delivery of the event. */
function explainMismatch(subscription: Tables['subscriptions'], event: Tables['events']): Pick<Recipient, 'result' | 'text'> {
  const types = JSON.parse(subscription.types) as string[];
  if (subscription.provider_id !== event.provider_id)
    return { result: 'other-provider', text: "not sent: the event's Experience belongs to another provider." };
  if (subscription.experience_id !== null && subscription.experience_id !== event.experience_id)
    return {
      result: 'other-experience',
      text: `not sent: the subscription is for the Experience ${subscription.experience_id}, but the event is about ${event.experience_id}.`,
    };
  if (!types.includes(event.type)) return { result: 'type-not-listed', text: `not sent: the subscription lists only ${types.join(', ')}.` };
  if (subscription.id > event.id) return { result: 'created-later', text: 'not sent: the subscription was created after the event.' };
  return {
    result: 'not-selected',
    text: 'no delivery is stored: the subscription was changed after the event, the payload was sent only to another subscription (with xpk trigger raw), or the delivery has ended and was removed, because the event is older than the newest 5,000.',
  };
}

/** No operation publishes events about users, because only the platform changes users. */
const PUBLISHING_OPERATIONS: Readonly<Record<EventType, readonly OperationId[]>> = {
  'experience.connection.created': ['createExperienceConnection'],
  'experience.connection.activated': ['updateExperienceConnection', 'createExperienceConnection'],
  'experience.connection.deactivated': ['updateExperienceConnection', 'createExperienceConnection'],
  'experience.connection.deleted': ['deleteExperienceConnection'],
  'experience.assignment.created': ['createExperienceAssignment'],
  'experience.assignment.deleted': ['deleteExperienceAssignment'],
  'provisioning.user.created': [],
  'provisioning.user.deleted': [],
};

const EVENT_TYPE_PREFIXES = {
  connections: 'experience.connection.',
  assignments: 'experience.assignment.',
  users: 'provisioning.user.',
} as const;
type Subject = { [C in keyof typeof EVENT_TYPE_PREFIXES]: { readonly collection: C } & StoredEntity<C> }[keyof typeof EVENT_TYPE_PREFIXES];

export async function findSubject(db: Executor, name: string): Promise<Subject | undefined> {
  for (const collection of Object.keys(EVENT_TYPE_PREFIXES) as (keyof typeof EVENT_TYPE_PREFIXES)[]) {
    const found = await findEntity(db, collection, name);
    if (found) return { collection, ...found } as Subject;
  }
  return undefined;
}

async function explainNoEvent(
  { type, entityId, subscriptionId, since }: EventFilter,
  subscriptions: readonly Tables['subscriptions'][],
  deps: ControlDeps,
): Promise<Reason[]> {
  const { db } = deps.store;
  const subject = entityId === undefined ? undefined : await findSubject(db, entityId);
  const reasons = [
    ...(await listRefusedRequests(type, entityId, deps)),
    ...(subject ? await explainSubject(subject, type, deps) : []),
    ...(entityId !== undefined && !subject
      ? [{ cause: 'no entity', text: `There is no connection, assignment or user ${JSON.stringify(entityId)} now.` } as const]
      : []),
    ...(subject === undefined && type?.startsWith(EVENT_TYPE_PREFIXES.users) ? await listUnassignedAccounts(deps) : []),
  ];
  const earlier = await listEvents(db, { entityId, ...(entityId === undefined && { type }) }, 1);
  const [newest] = earlier;
  if (newest !== undefined && (since !== undefined || entityId !== undefined)) {
    const text = `The last event ${entityId === undefined ? 'of this type' : 'about this entity'} was ${newest.type}, published at ${newest.timestamp}.`;
    reasons.push({ cause: 'earlier event', text });
  }
  if (type !== undefined && subscriptions.every(({ types }) => !(JSON.parse(types) as string[]).includes(type)))
    reasons.push({
      cause: 'no subscription',
      text: `${subscriptionId === undefined ? 'No subscription lists' : 'The subscription does not list'} the type ${type}.`,
    });
  if (reasons.length === 0)
    reasons.push({
      cause: 'no change',
      text: 'No change has published a matching event. Loading or resetting a world publishes nothing. Cause an event with: xpk trigger TYPE',
    });
  return reasons;
}

async function listRefusedRequests(type: string | undefined, entityId: string | undefined, { journal }: ControlDeps): Promise<Reason[]> {
  const operations = new Set<string>(
    type === undefined ? Object.values(PUBLISHING_OPERATIONS).flat() : (PUBLISHING_OPERATIONS[type as EventType] ?? []),
  );
  const isRefused = ({ operationId = '', path, request, status = 500 }: JournalEntry) =>
    status >= 400 &&
    operations.has(operationId) &&
    (entityId === undefined || `${path}${JSON.stringify(request?.body)}`.includes(entityId));
  const entries = await journal.list({ limit: MAX_DELIVERIES });
  const refused = entries.filter(isRefused).slice(0, MAX_REQUESTS);
  return refused.map(({ method, path, status, at, traceId }) => ({
    cause: 'refused request',
    text: `${method} ${path} got ${status ?? 'no response'} at ${at}. A refused request publishes nothing. Why it was refused: xpk explain ${traceId}`,
    traceId,
  }));
}

async function explainSubject({ collection, id, entity }: Subject, type: string | undefined, deps: ControlDeps): Promise<Reason[]> {
  const prefix = EVENT_TYPE_PREFIXES[collection];
  if (type !== undefined && !type.startsWith(prefix))
    return [{ cause: 'other type', text: `${id} is one of the ${collection}, so its events have types such as ${prefix}created.` }];
  if (collection === 'users') {
    const account = await findEntity(deps.store.db, 'accounts', entity.account);
    if (account && (await isUnassigned(account.id, deps))) return [explainNotAssigned([entity.account], deps)];
    return [
      { cause: 'no change', text: "Changing a user's names publishes no event. Only creating or deleting a user publishes an event." },
    ];
  }
  const state = collection === 'connections' ? ` is ${entity.state} and` : '';
  const text = `The ${collection.slice(0, -1)}${state} was last changed at ${entity.updatedAt}. Only a change publishes an event; loading or resetting a world does not.`;
  return [{ cause: 'no change', text }];
}

async function isUnassigned(accountId: string, { store, decisions }: ControlDeps): Promise<boolean> {
  return (await listAssignedExperiences(store.db, accountId, decisions['provisioning.assigned-means'])).length === 0;
}

async function listUnassignedAccounts(deps: ControlDeps): Promise<Reason[]> {
  const unassigned: string[] = [];
  for (const { id, alias } of await deps.store.db.selectFrom('accounts').select(['id', 'alias']).orderBy('alias').limit(100).execute())
    if (unassigned.length < MAX_ACCOUNTS && (await isUnassigned(id, deps))) unassigned.push(alias);
  return unassigned.length > 0 ? [explainNotAssigned(unassigned, deps)] : [];
}

function explainNotAssigned(accounts: readonly string[], { decisions }: ControlDeps): Reason {
  const [needed, command] =
    decisions['provisioning.assigned-means'] === 'connection'
      ? ['a connection of the account to an Experience', `connections account=${accounts[0]} experience=…`]
      : ['an ACCOUNT assignment of an Experience to the account', `assignments experience=… targetType=ACCOUNT target=${accounts[0]}`];
  const text = `Events about users require ${needed}. Accounts without one: ${accounts.join(', ')}. Add one with: xpk state add ${command}`;
  return { cause: 'account not assigned', text };
}
