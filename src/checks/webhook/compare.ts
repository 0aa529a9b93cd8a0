import type { Entity, EntityKind } from './check-entities.ts';
import type { EntityName } from './scenario.ts';
import type { ConsumerState } from './view.ts';

/** Either sentences about the differences between the consumer's state and the world, or the names of the members that the state lacks. */
export type Comparison = { readonly differences: readonly string[] } | { readonly hidden: readonly string[] };

export interface ScenarioEntity extends Entity {
  readonly name: EntityName;
  /** Whether the consumer got an event with the connection's state. The creation event does not contain the state. */
  readonly isStateKnown: boolean;
}

/** An entity that a scenario does not change. */
export type OtherEntity = Pick<Entity, 'kind' | 'id'> & { readonly account: Pick<Entity['account'], 'id'> };

export interface ExpectedEntity {
  readonly entity: ScenarioEntity;
  /** Undefined for a deleted entity. */
  readonly state: 'ACTIVE' | 'INACTIVE' | 'exists' | undefined;
}

const SINGULAR_NAMES: Readonly<Record<EntityKind, string>> = { connections: 'connection', assignments: 'assignment', users: 'user' };

export function compareEntities(expected: readonly ExpectedEntity[], view: ConsumerState): Comparison {
  const shown = expected.filter(({ entity }) => view[entity.kind] !== undefined);
  if (shown.length === 0) return { hidden: [...new Set(expected.map(({ entity }) => entity.kind))] };
  return { differences: shown.flatMap((each) => describeDifference(each, view) ?? []) };
}

function describeDifference({ entity, state }: ExpectedEntity, view: ConsumerState): string | undefined {
  const what = `the ${SINGULAR_NAMES[entity.kind]} ${entity.name} (${entity.id})`;
  const seen = describeShownState(entity, view);
  if (state === undefined) return seen === undefined ? undefined : `The consumer's state still contains ${what}, which was deleted.`;
  if (seen === undefined)
    return `The consumer's state does not contain ${what}${entity.kind === 'connections' ? `, which is ${state}` : ''}.`;
  if (entity.kind !== 'connections' || !entity.isStateKnown || seen === state) return undefined;
  return `The consumer's state shows ${what} as ${seen}, but the connection is ${state}.`;
}

/** Returns undefined if the entity is missing. */
export function describeShownState({ kind, id, account }: OtherEntity, view: ConsumerState): string | undefined {
  if (kind === 'users') return view.users?.[account.id]?.includes(id) ? 'in the set' : undefined;
  if (kind === 'assignments') return view.assignments?.[id] ? 'assigned' : undefined;
  const connection = view.connections?.[id];
  return connection ? (connection.state ?? 'without a state') : undefined;
}

export function listOthers(view: ConsumerState, prepared: readonly Entity[], createdUsers: ReadonlySet<string>): OtherEntity[] {
  const users = Object.entries(view.users ?? {}).flatMap(([account, ids]) =>
    ids.filter((id) => !createdUsers.has(id)).map((id) => ({ kind: 'users' as const, id, account: { id: account } })),
  );
  return [...prepared, ...users].filter((entity) => describeShownState(entity, view) !== undefined);
}

export function compareOthers(others: readonly OtherEntity[], view: ConsumerState): Comparison {
  const lost = Map.groupBy(
    others.filter((entity) => describeShownState(entity, view) === undefined),
    ({ kind }) => kind,
  );
  const describeLoss = ([kind, entities]: [EntityKind, readonly OtherEntity[]]) =>
    `The consumer's state no longer contains these ${kind}, which no event was about: ${formatIds(entities.map(({ id }) => id))}.`;
  return { differences: [...lost].map(describeLoss) };
}

/** @param ignored ids that may be present or absent */
export function compareUsers(
  { account, ids, count }: { readonly account: Entity['account']; readonly ids: readonly string[]; readonly count: number | undefined },
  view: ConsumerState,
  ignored: ReadonlySet<string> = new Set(),
): Comparison {
  if (view.users === undefined) return { hidden: ['users'] };
  const shown = new Set(view.users[account.id]);
  const missing = ids.filter((id) => !shown.has(id) && !ignored.has(id));
  const extra = [...shown].filter((id) => !ids.includes(id) && !ignored.has(id));
  const set = `consumer's set of users for the account ${account.name} (${account.id})`;
  const lacks = `GET /users lists ${ids.length} users (count ${count}), and ${missing.length} of them are not in the ${set}: ${formatIds(missing)}.`;
  const users = extra.length === 1 ? 'a user' : `${extra.length} users`;
  const exceeds = `The ${set} contains ${users} that GET /users does not list: ${formatIds(extra)}.`;
  return { differences: [...(missing.length > 0 ? [lacks] : []), ...(extra.length > 0 ? [exceeds] : [])] };
}

export function compareUnique(entities: readonly ScenarioEntity[], view: ConsumerState): Comparison {
  const { users } = view;
  if (users === undefined) return { hidden: ['users'] };
  const differences = entities.flatMap(({ name, id, account }) => {
    const times = (users[account.id] ?? []).filter((each) => each === id).length;
    const others = Object.keys(users).filter((accountId) => accountId !== account.id && users[accountId]?.includes(id));
    return [
      ...(times > 1 ? [`The consumer's set of users for the account contains the user ${name} (${id}) ${times} times.`] : []),
      ...(others.length > 0
        ? [`The user ${name} (${id}) of the account ${account.id} is also in the consumer's set of users for ${formatIds(others)}.`]
        : []),
    ];
  });
  return { differences };
}

export function compareTotal({ users, total }: ConsumerState, expected: number | undefined): Comparison {
  if (users === undefined && total !== undefined && expected !== undefined)
    return {
      differences:
        total === expected ? [] : [`The total is ${total}, but the previous total and the changes since then imply ${expected}.`],
    };
  const hidden = [...(users === undefined ? ['users'] : []), ...(total === undefined ? ['total'] : [])];
  if (users === undefined || hidden.length > 0) return { hidden };
  const sizes = Object.values(users).map((ids) => ids.length);
  const sum = sizes.reduce((before, size) => before + size, 0);
  return { differences: sum === total ? [] : [`The total is ${total}, but the sizes of the sets (${sizes.join(', ')}) add up to ${sum}.`] };
}

/** @param names event names by webhook-id */
export function compareAppliedEvents(names: ReadonlyMap<string, string>, { applied = {} }: ConsumerState): Comparison {
  const twice = [...names].filter(([id]) => (applied[id] ?? 0) > 1);
  return { differences: twice.map(([id, name]) => `The event ${name} (webhook-id ${id}) was applied ${applied[id]} times.`) };
}

function formatIds(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ');
}
