import type { EventType } from '../contract/generated/events.ts';
import { rules } from '../contract/generated/rules-table.ts';
import { isSameInstant } from '../contract/instants.ts';
import type { Difference } from './difference.ts';
import { ALL_EVENTS, findEventRules, nameCauseRule, nameExtraRule, nameFilterRule } from './event-rules.ts';
import { dropRepeats, type Event, findOtherName, findSharedId, findWrongSubscriptionId, readDeliveries } from './read-deliveries.ts';
import type { Names, ReceivedEvent } from './side.ts';
import type { Step } from './steps.ts';
import type { Cast } from './world.ts';

/** Returns the latest step that may have caused an event about the entity. */
export type FindCause = (name: string, type: EventType) => Step | undefined;

export interface ExpectedEvents {
  readonly names: Names;
  /** Whether the specification leaves open if the event is published. Key: name and type. */
  readonly optional: ReadonlySet<string>;
  /** For each entity, the target's updatedAt at each updatedAt of the twin. */
  readonly instants: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly occupied: Cast['occupied'];
  readonly findCause: FindCause;
  readonly refused: ReadonlySet<Step>;
}

/** How far the times of two events about one change may differ at each side, in milliseconds. */
const [TARGET_MS, TWIN_MS] = [20, 1];
/** How far the clocks of a target's machines may differ, in milliseconds. */
const MAX_SKEW_MS = 2000;

export const toKey = (name: string, type: string): string => `${name} ${type}`;

/** @returns the first difference; `isWaiting` if an event is missing, which may still arrive */
export function compareEvents(
  expectations: ExpectedEvents,
  target: readonly ReceivedEvent[],
  twin: readonly ReceivedEvent[],
  isOwn: (name: string) => boolean,
): (Difference & { readonly isWaiting: boolean }) | undefined {
  const { optional, instants, findCause, refused } = expectations;
  const deliveries = readDeliveries(expectations, 0, target, isOwn);
  const shared = findSharedId(deliveries) ?? findWrongSubscriptionId(deliveries) ?? findOtherName(deliveries);
  if (shared) return { ...shared, isWaiting: false };
  const actual = dropRepeats(deliveries);
  const wanted = dropRepeats(readDeliveries(expectations, 1, twin, isOwn));
  const groupByEntity = (events: readonly Event[]) =>
    Map.groupBy(events, ({ subscription, name, type, scope }) =>
      // One user may have an event for each Experience.
      JSON.stringify([
        subscription,
        name,
        type,
        type.startsWith('provisioning.') ? (scope as { experienceId?: string })?.experienceId : undefined,
      ]),
    );
  const [shown, expected] = [groupByEntity(actual), groupByEntity(wanted)];
  const pairs: (readonly [Event, Event])[] = [];
  let [missing, extra]: (Difference | undefined)[] = [];
  for (const key of new Set([...expected.keys(), ...shown.keys()])) {
    const [subscription, name, type] = JSON.parse(key) as [string, string, EventType];
    let [right, found] = [sortByTime(expected.get(key)), sortByTime(shown.get(key))];
    if (found.length > right.length) found = dropCompanions(found, actual, found.length - right.length, TARGET_MS);
    else if (found.length < right.length) right = dropCompanions(right, wanted, right.length - found.length, TWIN_MS);
    if (optional.has(toKey(name, type)) && found.length !== right.length) continue;
    // If one of as many events may be a companion, the event that it stands for may still be missing.
    const isClear = found.length !== right.length || findChanges(found, actual, TARGET_MS) === findChanges(right, wanted, TWIN_MS);
    if (isClear) for (const [index, event] of right.entries()) if (found[index]) pairs.push([found[index], event]);
    if (found.length === right.length) continue;
    const inAll = JSON.stringify([ALL_EVENTS, ...(JSON.parse(key) as string[]).slice(1)]);
    const isFiltered = subscription !== ALL_EVENTS;
    const counts = `Expected ${right.length} ${type} about ${name} at the subscription to ${subscription}, not ${found.length}`;
    if (found.length < right.length) {
      const isDelivered = isFiltered && (shown.get(inAll)?.length ?? 0) >= right.length;
      const rule = isDelivered ? 'events.subscription.every-match' : nameCauseRule(type, findCause(name, type));
      missing ??= { rule, message: counts, about: name };
    } else
      extra ??= {
        rule:
          isFiltered && right.length === 0 && expected.has(inAll)
            ? nameFilterRule(subscription)
            : nameExtraRule(right.length, refused.has(findCause(name, type)!)),
        message: `${counts}: ${describeData(found)}`,
        about: name,
      };
  }
  const isSplit = ([event, right]: readonly [Event, Event]) =>
    hasCompanion(event, actual, TARGET_MS) || hasCompanion(right, wanted, TWIN_MS);
  const difference = extra ?? findWrongContent(pairs, instants, isSplit) ?? compareOrder(pairs) ?? missing;
  return difference && { ...difference, isWaiting: missing !== undefined };
}

/**
 * Drops at most `count` of the events with which a creation or a deletion says which state begins or ends with it. The specification leaves
 * open whether there are any, and a target that was late with one may have seemed to send none.
 */
function dropCompanions(events: readonly Event[], all: readonly Event[], count: number, toleranceMs: number): readonly Event[] {
  const dropped = events.filter((event) => findChange(event, all, toleranceMs) !== undefined).slice(0, count);
  return events.filter((event) => !dropped.includes(event));
}

/** @returns the type of the creation or deletion that the event may only accompany */
function findChange({ name, subscription, type, updatedAt }: Event, all: readonly Event[], toleranceMs: number): EventType | undefined {
  if (!/activated$/.test(type)) return undefined;
  return all.find(
    (each) =>
      each.name === name &&
      each.subscription === subscription &&
      isNear(each.updatedAt, updatedAt, toleranceMs) &&
      /(created|deleted)$/.test(each.type),
  )?.type;
}

/** Whether a server may have written what it created twice: first the entity, and then its state. Not every subscription shows that. */
const hasCompanion = ({ name, type, updatedAt }: Event, all: readonly Event[], toleranceMs: number): boolean =>
  type === 'experience.connection.created' &&
  all.some((each) => each.name === name && /activated$/.test(each.type) && isNear(each.updatedAt, updatedAt, toleranceMs));

/** A server that shows whole seconds may round two times to different seconds. */
const isNear = (a: number, b: number, toleranceMs: number): boolean =>
  Math.abs(a - b) <= (toleranceMs === TARGET_MS && a % 1000 === 0 && b % 1000 === 0 ? 1000 : toleranceMs);

const findChanges = (events: readonly Event[], all: readonly Event[], toleranceMs: number): string =>
  events.map((event) => findChange(event, all, toleranceMs)).join();

const sortByTime = (events: readonly Event[] = []): readonly Event[] => events.toSorted((a, b) => a.updatedAt - b.updatedAt);

function findWrongContent(
  pairs: readonly (readonly [Event, Event])[],
  instants: ExpectedEvents['instants'],
  isSplit: (pair: readonly [Event, Event]) => boolean,
): Difference | undefined {
  for (const [event, right] of pairs) {
    const difference = compareContents(event, right, isSplit([event, right]) ? new Map() : instants);
    if (difference) return { ...difference, about: event.name };
  }
  return undefined;
}

function compareContents(event: Event, right: Event, instants: ExpectedEvents['instants']): Difference | undefined {
  const rule = findEventRules(event.name);
  for (const [member, value] of Object.entries(right.data)) {
    if (['updatedAt', 'experienceName', 'providerId'].includes(member)) continue;
    if (JSON.stringify(event.data[member]) !== JSON.stringify(value))
      return {
        rule: rule.of,
        message: `Expected ${member} ${JSON.stringify(value)} in ${event.type} about ${event.name}, not ${JSON.stringify(event.data[member])}`,
      };
  }
  if (Number.isNaN(event.updatedAt))
    return {
      rule: rule.dateTime,
      message: `Expected a date-time as updatedAt in ${event.type} about ${event.name}, not ${JSON.stringify(event.data.updatedAt)}`,
    };
  const [scope, rightScope] = [event.scope, right.scope] as { experienceId?: string }[];
  if (scope?.experienceId !== rightScope?.experienceId)
    return {
      rule: typeof scope?.experienceId === 'string' ? 'events.envelope.scope-experience' : 'events.envelope.scope',
      message: `Expected the scope ${JSON.stringify(rightScope)} of ${event.type} about ${event.name}, not ${JSON.stringify(scope)}`,
    };
  if (event.timestamp + MAX_SKEW_MS < event.updatedAt)
    return {
      rule: 'events.envelope.timestamp-of-event',
      message: `Expected the timestamp of ${event.type} about ${event.name} not before its updatedAt ${String(event.data.updatedAt)}, not ${new Date(event.timestamp).toISOString()}`,
    };
  const seen = instants.get(event.name)?.get(String(right.data.updatedAt));
  if (seen === undefined || isSameInstant(seen, String(event.data.updatedAt)) || !Object.hasOwn(rules, rule.updatedAt)) return undefined;
  return {
    rule: rule.updatedAt,
    message: `Expected updatedAt ${seen} in ${event.type} about ${event.name}, as the API showed it, not ${String(event.data.updatedAt)}`,
  };
}

/** An entity's events have the order of its changes. */
function compareOrder(pairs: readonly (readonly [Event, Event])[]): Difference | undefined {
  for (const group of Map.groupBy(pairs, ([, { subscription, name }]) => `${subscription} ${name}`).values()) {
    const inOrder = group.toSorted(([, a], [, b]) => a.updatedAt - b.updatedAt);
    for (const [index, [event, right]] of inOrder.entries()) {
      const [before, rightBefore] = inOrder[index - 1] ?? [];
      if (before && rightBefore && rightBefore.updatedAt < right.updatedAt && before.updatedAt > event.updatedAt)
        return {
          rule: findEventRules(event.name).grows,
          about: event.name,
          message: `Expected updatedAt of ${event.type} about ${event.name} not before that of ${before.type}: ${String(before.data.updatedAt)}, not ${String(event.data.updatedAt)}`,
        };
    }
  }
  return undefined;
}

function describeData(events: readonly Event[]): string {
  const ids = new Set(events.map(({ webhookId }) => webhookId));
  const texts = new Set(events.map(({ data }) => JSON.stringify(data)));
  if (texts.size > 1 || events.length < 2) return [...texts].join(' and ');
  return `${events.length} times ${[...texts][0]}, with ${ids.size === 1 ? 'the same webhook-id' : 'different webhook-ids'}`;
}
