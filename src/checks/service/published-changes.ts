// Events about entities that requests to the API have created, changed, deleted or shown.
import type { EventType } from '../../contract/generated/events.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import { isSameInstant, toMilliseconds } from '../../contract/instants.ts';
import { RULE_BY_EVENT_TYPE } from '../../expect/rule-names.ts';
import { isSameId } from '../../expect/same-id.ts';
import { getArrivalMs } from '../client/history.ts';
import type { PassedDelivery } from './deliveries.ts';
import { MAX_CLOCK_SKEW_MS } from './events.ts';
import { type Exchange, getEntities, getJson, type Json, normalize, succeeds } from './exchange.ts';
import { isList } from './lists.ts';
import { ASSIGNMENTS, CONNECTIONS, getBody, groupById, MAX_LAG_MS } from './resources.ts';
import { type JudgeRule, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import type { Traffic } from './traffic.ts';

interface Change {
  readonly exchange: Exchange;
  readonly type: EventType;
  /** The first delivery of the change's event. A later change with an event of the same type may have the same one. */
  readonly delivery: PassedDelivery;
}

const STATE_EVENTS: Readonly<Record<string, EventType>> = {
  ACTIVE: 'experience.connection.activated',
  INACTIVE: 'experience.connection.deactivated',
};
const EVENTS: Readonly<Partial<Record<OperationId, (exchange: Exchange) => EventType | undefined>>> = {
  createExperienceConnection: () => 'experience.connection.created',
  updateExperienceConnection: (exchange) => STATE_EVENTS[String(getBody(exchange).state)],
  deleteExperienceConnection: () => 'experience.connection.deleted',
  createExperienceAssignment: () => 'experience.assignment.created',
  deleteExperienceAssignment: () => 'experience.assignment.deleted',
};

const known = new WeakMap<Traffic, readonly Change[]>();

/** The changes through the API whose events have arrived. A change without an event shows nothing: no subscription may include it. */
function findChanges(traffic: Traffic): readonly Change[] {
  const found = known.get(traffic) ?? pairChanges(traffic);
  known.set(traffic, found);
  return found;
}

function pairChanges({ exchanges, deliveries }: Traffic): readonly Change[] {
  const byEntity = Map.groupBy(deliveries, ({ type, entityId }) => `${type} ${entityId}`);
  return exchanges.flatMap((exchange): Change[] => {
    const type = succeeds(exchange) ? EVENTS[exchange.operation]?.(exchange) : undefined;
    const id = exchange.operation.startsWith('create') ? getJson(exchange).id : exchange.id;
    const delivery = byEntity.get(`${type} ${normalize(id)}`)?.find(({ at }) => at >= getArrivalMs(exchange.call));
    return type && delivery ? [{ exchange, type, delivery }] : [];
  });
}

const judgeChanges =
  (
    isAbout: (change: Change) => boolean,
    judge = ({ exchange, delivery }: Change): Shown => show(delivery, undefined, [exchange]),
  ): JudgeRule =>
  (traffic) =>
    findChanges(traffic).filter(isAbout).map(judge);
const judgeAssigned = (targetType: string): JudgeRule =>
  judgeChanges(({ type, exchange }) => type === 'experience.assignment.created' && getBody(exchange).targetType === targetType);
const judgesOfTypes = Object.fromEntries(
  Object.entries(RULE_BY_EVENT_TYPE)
    // No request changes a user.
    .filter(([type]) => !type.startsWith('provisioning.'))
    .map(([wanted, rule]) => [rule, judgeChanges(({ type }) => type === wanted)]),
);

/** Responses that contain the entities, by the entity's id. */
function findSightings(traffic: Traffic, operations: readonly OperationId[]): ReadonlyMap<string, readonly (readonly [Json, Exchange])[]> {
  const all = traffic.of(...operations).flatMap((exchange) => {
    if (!succeeds(exchange)) return [];
    const entities = isList(exchange) ? getEntities(exchange) : [getJson(exchange)];
    return entities.map((entity) => [entity, exchange] as const);
  });
  return Map.groupBy(all, ([{ id }]) => normalize(id));
}

/** Judges whether the members that never change are those of the entity. */
const judgeEntity =
  (kind: string, operations: readonly OperationId[], members: readonly string[]): JudgeRule =>
  (traffic) => {
    const sightings = findSightings(traffic, operations);
    return traffic.deliveries.flatMap((delivery): Shown[] => {
      const { type, data, entityId } = delivery;
      const seen = type?.includes(`${kind}.`) ? sightings.get(entityId) : undefined;
      if (!seen) return [];
      const findWrong = ([entity]: (typeof seen)[number]) =>
        members.find((name) => entity[name] !== undefined && !isSameId(data[name], String(entity[name])));
      const sighting = seen.find(findWrong) ?? seen[0]!;
      const wrong = findWrong(sighting);
      const expected = `${wrong} is ${String(sighting[0][wrong ?? ''])}, as in the API's response, not ${String(data[wrong ?? ''])}`;
      return [showThat(wrong === undefined, expected, delivery, sighting[1])];
    });
  };

/** Judges events that say that an entity was deleted, which is later found. */
const judgeDeleted = (traffic: Traffic): readonly Shown[] =>
  [CONNECTIONS, ASSIGNMENTS].flatMap(({ get }) => {
    const reads = groupById(traffic, get);
    return traffic.deliveries.flatMap((delivery): Shown[] => {
      const read = delivery.type?.endsWith('.deleted') ? reads.get(delivery.entityId)?.find((each) => isRead(each, delivery)) : undefined;
      return read ? [showThat(false, `${delivery.entityId} was deleted, but it is found after ${delivery.type}`, delivery, read)] : [];
    });
  });

const isRead = (read: Exchange, { at }: PassedDelivery): boolean => succeeds(read) && getArrivalMs(read.call) >= at + MAX_LAG_MS;

/** Judges updatedAt in an event by a later response, which must not contain an earlier time. */
const judgeUpdatedAt: JudgeRule = (traffic) => {
  const reads = groupById(traffic, CONNECTIONS.get);
  return traffic.deliveries.flatMap((delivery): Shown[] => {
    const { type, entityId, data } = delivery;
    if (!type?.startsWith('experience.connection.') || type.endsWith('.deleted') || typeof data.updatedAt !== 'string') return [];
    const whole = (reads.get(entityId) ?? []).filter((each) => succeeds(each) && typeof getJson(each).updatedAt === 'string');
    const toMs = (each: Exchange) => toMilliseconds(String(getJson(each).updatedAt));
    const eventMs = toMilliseconds(data.updatedAt);
    const earlier = whole.find((each) => isRead(each, delivery) && eventMs >= toMs(each) + 1000);
    const same = whole.find((each) => isSameInstant(String(getJson(each).updatedAt), String(data.updatedAt)));
    if (earlier === undefined && same === undefined) return [];
    return [
      showThat(earlier === undefined, `updatedAt is the connection's, but a later response has an earlier one`, delivery, earlier ?? same!),
    ];
  });
};

/** Judges that an entity's first event has the earliest updatedAt, and its last event the latest one. */
const judgeGrowth =
  (kind: string): JudgeRule =>
  (traffic) => {
    const timed = traffic.deliveries.filter(
      ({ type, data, entityId }) => type?.includes(`${kind}.`) && entityId !== '' && typeof data.updatedAt === 'string',
    );
    const toMs = ({ data }: PassedDelivery) => toMilliseconds(String(data.updatedAt));
    return [...Map.groupBy(timed, ({ entityId }) => entityId).values()].flatMap((group) => {
      const created = group.find(({ type }) => type?.endsWith('.created'));
      const deleted = group.find(({ type }) => type?.endsWith('.deleted'));
      return group.flatMap((each): Shown[] => {
        const isOther = (other: PassedDelivery | undefined) => other !== undefined && other.type !== each.type;
        if (each.type?.endsWith('.created') || !(isOther(created) || isOther(deleted))) return [];
        const isRight = (!created || toMs(created) <= toMs(each)) && (!deleted || toMs(each) <= toMs(deleted));
        const expected = 'updatedAt is not earlier than that of the creation, and not later than that of the deletion';
        return [
          showThat(isRight, expected, each, ...[created, deleted].filter((other) => other !== undefined).filter((other) => other !== each)),
        ];
      });
    });
  };

const hasUpdatedAt = ({ type, exchange, delivery }: Change): boolean =>
  type.endsWith('.created') && [getJson(exchange), delivery.data].every(({ updatedAt }) => typeof updatedAt === 'string');

export const judgesOfPublishedChanges = {
  ...judgesOfTypes,
  'events.publish.every-change': judgeChanges(() => true),
  'events.publish.only-changes': (traffic) => [...judgeChanges(() => true)(traffic), ...judgeDeleted(traffic)],
  'events.assignment.created.of-account': judgeAssigned('ACCOUNT'),
  'events.assignment.created.of-phone-number': judgeAssigned('PHONE_NUMBER'),
  'events.assignment.created.of-user': judgeAssigned('USER'),
  'events.envelope.timestamp-of-event': judgeChanges(
    (change) => hasUpdatedAt(change) && typeof change.delivery.event.timestamp === 'string',
    ({ exchange, delivery }) => {
      const [timestamp, updatedAt] = [String(delivery.event.timestamp), String(getJson(exchange).updatedAt)];
      const isNear = Math.abs(toMilliseconds(timestamp) - toMilliseconds(updatedAt)) <= MAX_CLOCK_SKEW_MS;
      return showThat(isNear, `timestamp is the time of the creation, ${updatedAt}, not ${timestamp}`, delivery, exchange);
    },
  ),
  'events.connection.data.of-connection': judgeEntity(
    'connection',
    [CONNECTIONS.create, CONNECTIONS.get, CONNECTIONS.list],
    ['experienceId', 'accountId'],
  ),
  'events.assignment.data.of-assignment': judgeEntity(
    'assignment',
    [ASSIGNMENTS.create, ASSIGNMENTS.get, ASSIGNMENTS.list],
    ['experienceId', 'accountId', 'targetType', 'targetValue'],
  ),
  'events.provisioning.data.of-user': judgeEntity('user', ['getUser', 'getUsers'], ['accountId']),
  'events.connection.data.updated-at-of-connection': judgeUpdatedAt,
  'events.assignment.data.updated-at-of-assignment': judgeChanges(
    (change) => change.type.startsWith('experience.assignment.') && hasUpdatedAt(change),
    ({ exchange, delivery }) => {
      const [found, updatedAt] = [String(delivery.data.updatedAt), String(getJson(exchange).updatedAt)];
      return showThat(isSameInstant(found, updatedAt), `updatedAt is ${updatedAt}, not ${found}`, delivery, exchange);
    },
  ),
  'events.connection.data.updated-at-grows': judgeGrowth('connection'),
  'events.assignment.data.updated-at-grows': judgeGrowth('assignment'),
  'events.provisioning.data.updated-at-grows': judgeGrowth('user'),
} satisfies RuleJudges;
