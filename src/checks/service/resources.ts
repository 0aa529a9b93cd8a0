// The two kinds of entities that clients create, and their creations, reads and deletions in recorded traffic.

import type { OperationId } from '../../contract/generated/operations.ts';
import { type Exchange, getJson, isAfter, type Json, normalize, succeeds } from './exchange.ts';
import type { Shown } from './shown.ts';
import type { Traffic } from './traffic.ts';

/** The longest time, in milliseconds, after which a list shows a change, and after which a 202 has an effect. */
export const MAX_LAG_MS = 10_000;

/** The time, in milliseconds, in which a caller does not lose the access to an entity and gets it again. */
export const ACCESS_MS = 5000;

export interface Resource {
  readonly create: OperationId;
  readonly get: OperationId;
  readonly update?: OperationId;
  readonly list: OperationId;
  readonly remove: OperationId;
  /** The members of a request that no other entity may have too. */
  readonly key: readonly string[];
}
export const ASSIGNMENTS: Resource = {
  create: 'createExperienceAssignment',
  get: 'getExperienceAssignment',
  list: 'getExperienceAssignments',
  remove: 'deleteExperienceAssignment',
  key: ['experienceId', 'targetType', 'targetValue'],
};
export const CONNECTIONS: Resource = {
  create: 'createExperienceConnection',
  get: 'getExperienceConnection',
  update: 'updateExperienceConnection',
  list: 'getExperienceConnections',
  remove: 'deleteExperienceConnection',
  key: ['accountId', 'experienceId'],
};

export const getBody = ({ call }: Exchange): Json => Object(call.request?.body) as Json;
export const getEffectDelay = ({ answer }: Exchange): number => (answer.status === 202 ? MAX_LAG_MS : 0);
export const toKey = (names: readonly string[], members: Json): string | undefined =>
  names.every((name) => typeof members[name] === 'string') ? names.map((name) => normalize(members[name])).join(' ') : undefined;

export interface Creation {
  readonly exchange: Exchange;
  readonly id: string;
  readonly key: string | undefined;
}

export const findCreations = ({ of }: Traffic, { create, key }: Resource): readonly Creation[] =>
  of(create).flatMap((exchange) => {
    const id = normalize(getJson(exchange).id);
    return succeeds(exchange) && id !== '' ? [{ exchange, id, key: toKey(key, getBody(exchange)) }] : [];
  });

/** The exchanges of an operation with an entity's id in the path, by this id. */
export const groupById = ({ of }: Traffic, operation: OperationId): ReadonlyMap<string, readonly Exchange[]> =>
  Map.groupBy(of(operation), ({ id }) => normalize(id));

/** Pairs each creation or deletion with the later exchanges with the same entity. */
export function followEach(
  firsts: readonly { readonly exchange: Exchange; readonly id: string }[],
  later: ReadonlyMap<string, readonly Exchange[]>,
  judge: (first: Exchange, second: Exchange) => Shown | undefined,
): Shown[] {
  return firsts.flatMap(({ exchange, id }) =>
    (later.get(id) ?? []).flatMap((each) => (isAfter(exchange, each, getEffectDelay(exchange)) ? (judge(exchange, each) ?? []) : [])),
  );
}

export const findDeletions = (traffic: Traffic, { remove }: Resource) =>
  traffic.of(remove).flatMap((exchange) => (succeeds(exchange) ? [{ exchange, id: normalize(exchange.id) }] : []));

/** Whether two requests have the same content type, and the same members in the body. */
export const hasSameForm = (first: Exchange, second: Exchange): boolean =>
  first.call.request?.headers['content-type'] === second.call.request?.headers['content-type'] &&
  Object.keys(getBody(first)).join() === Object.keys(getBody(second)).join() &&
  second.query.size === 0;
