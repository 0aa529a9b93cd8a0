import type { EventType } from '../contract/generated/events.ts';
import { toMilliseconds } from '../contract/instants.ts';
import type { Difference } from './difference.ts';
import type { Names, ReceivedEvent, SideIndex } from './side.ts';
import { UNKNOWN_EXPERIENCE } from './surroundings.ts';
import type { Cast } from './world.ts';

export interface Event {
  /** The name of the subscription at which the event arrived. */
  readonly subscription: string;
  /** The id in the event. */
  readonly subscriptionId: unknown;
  /** The name of the entity that the event is about. */
  readonly name: string;
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly scope: unknown;
  readonly updatedAt: number;
  readonly timestamp: number;
  readonly webhookId: string | undefined;
}

/** Reads all deliveries. Events about entities that the commands did not create are ignored. */
export function readDeliveries(
  { names, occupied }: { readonly names: Names; readonly occupied: Cast['occupied'] },
  side: SideIndex,
  received: readonly ReceivedEvent[],
  isOwn: (name: string) => boolean,
): Event[] {
  return received.flatMap(({ subscription, webhookId, json }): Event[] => {
    const { type, scope, data, timestamp, subscriptionId } = names.replaceIds(side, json ?? {}) as Partial<Event>;
    if (typeof data !== 'object' || data === null || type === undefined) return [];
    const name = [data.connectionId, data.assignmentId, data.userId].find((id) => typeof id === 'string');
    if (typeof name !== 'string' || !isOwn(name)) return [];
    if (type.startsWith('provisioning.') && isOfOthers(occupied.get(String(data.accountId)), readExperience(scope))) return [];
    const times = { updatedAt: toMilliseconds(String(data.updatedAt)), timestamp: toMilliseconds(String(timestamp)) };
    return [{ subscription, subscriptionId, name, type, data, scope, ...times, webhookId }];
  });
}

/** Repeated deliveries count once. */
export const dropRepeats = (events: readonly Event[]): Event[] =>
  Map.groupBy(events, ({ subscription, webhookId, ...event }) => JSON.stringify([subscription, webhookId ?? event]))
    .values()
    .map(([first]) => first!)
    .toArray();

/** Two events of one subscription need different webhook-ids, because the subscriber drops what seems to be a repeat. */
export function findSharedId(events: readonly Event[]): Difference | undefined {
  const known = new Map<string, Event>();
  for (const event of events) {
    const { subscription, webhookId, type, name, scope } = event;
    if (webhookId === undefined) continue;
    const key = JSON.stringify([subscription, webhookId]);
    const other = known.get(key) ?? event;
    known.set(key, other);
    if (other.type !== type || other.name !== name || readExperience(other.scope) !== readExperience(scope))
      return {
        rule: 'events.headers.webhook-id-unique',
        about: name,
        message: `Expected different webhook-ids of ${type} about ${name} and of ${other.type} about ${other.name}, not both times ${webhookId}`,
      };
  }
  return undefined;
}

/** The events of one subscription have the same subscriptionId, and those of two have different ones. */
export function findWrongSubscriptionId(events: readonly Event[]): Difference | undefined {
  const [ids, subscriptions] = [new Map<string, unknown>(), new Map<unknown, string>()];
  for (const { subscription, subscriptionId, type, name } of events) {
    const id = ids.get(subscription) ?? subscriptionId;
    const owner = subscriptions.get(subscriptionId) ?? subscription;
    ids.set(subscription, id);
    subscriptions.set(subscriptionId, owner);
    const [what, shown] = [`${type} about ${name} at the subscription to ${subscription}`, String(subscriptionId)];
    if (id !== subscriptionId)
      return {
        rule: 'events.envelope.subscription-id',
        about: name,
        message: `Expected the subscriptionId ${String(id)} in ${what}, as in earlier events, not ${shown}`,
      };
    if (owner !== subscription && subscriptionId !== undefined)
      return {
        rule: 'events.subscription.id-distinct',
        about: name,
        message: `Expected the subscription's own subscriptionId in ${what}, not ${shown}, the id of the subscription to ${owner}`,
      };
  }
  return undefined;
}

/** An Experience has one name in all events. */
export function findOtherName(events: readonly Event[]): Difference | undefined {
  const names = new Map<unknown, unknown>();
  for (const { name, type, data } of events) {
    const { experienceId, experienceName } = data;
    if (type.startsWith('provisioning.')) continue;
    const known = names.get(experienceId) ?? experienceName;
    names.set(experienceId, known);
    if (String(known).normalize() !== String(experienceName).normalize())
      return {
        rule: `events.${name.startsWith('«assignment') ? 'assignment' : 'connection'}.data.names-experience`,
        about: name,
        message: `Expected the experienceName ${JSON.stringify(known)} in ${type} about ${name}, as in an earlier event about ${String(experienceId)}, not ${JSON.stringify(experienceName)}`,
      };
  }
  return undefined;
}

const readExperience = (scope: unknown): unknown => (scope as { experienceId?: unknown } | null | undefined)?.experienceId;

/**
 * Whether a user's account may be assigned to the event's Experience for another reason than the commands.
 * @param occupied the names of the Experiences for which it had a reason before
 * @param experience a name, or the id of an Experience that the commands do not use, which the API may not show
 */
const isOfOthers = (occupied: ReadonlySet<string> | undefined, experience: unknown): boolean =>
  typeof experience === 'string' && (!experience.startsWith('«') || [experience, UNKNOWN_EXPERIENCE].some((each) => occupied?.has(each)));
