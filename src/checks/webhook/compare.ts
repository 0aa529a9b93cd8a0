import type { EntityName } from './scenario.ts';
import type { Entity, Kind, Stage } from './stage.ts';
import type { ConsumerState } from './view.ts';

/** The differences between the view and the world, as sentences; or what the view does not show. */
export type Comparison = { readonly differences: readonly string[] } | { readonly hidden: readonly string[] };

/** An entity of a scenario and what the scenario knows about it. */
export interface Known extends Entity {
  readonly entity: Entity;
  readonly name: EntityName;
  /** Whether an event said that it is ACTIVE or INACTIVE. The event of the creation does not. */
  readonly stateKnown: boolean;
}

/** What the world contains of an entity. */
export interface Expected {
  readonly entity: Known;
  readonly state: Awaited<ReturnType<Stage['stateOf']>>;
}

const SINGULAR: Readonly<Record<Kind, string>> = { connections: 'connection', assignments: 'assignment', users: 'user' };

/** Compares the entities of a scenario that are of a kind that the view shows. */
export function compareEntities(expected: readonly Expected[], view: ConsumerState): Comparison {
  const shown = expected.filter(({ entity }) => view[entity.kind] !== undefined);
  if (shown.length === 0) return { hidden: [...new Set(expected.map(({ entity }) => entity.kind))] };
  return { differences: shown.flatMap((each) => differenceOf(each, view) ?? []) };
}

function differenceOf({ entity, state }: Expected, view: ConsumerState): string | undefined {
  const what = `the ${SINGULAR[entity.kind]} ${entity.name} (${entity.id})`;
  const seen = shownState(entity, view);
  if (state === undefined) return seen === undefined ? undefined : `The view still has ${what}, which was deleted.`;
  if (seen === undefined) return `The view does not have ${what}${entity.kind === 'connections' ? `, which is ${state}` : ''}.`;
  if (entity.kind !== 'connections' || !entity.stateKnown || seen === state) return undefined;
  return `The view has ${what} as ${seen}, but it is ${state}.`;
}

/** Returns what the view shows of an entity, in words; undefined if it does not have the entity. */
export function shownState({ kind, id, account }: Entity, view: ConsumerState): string | undefined {
  if (kind === 'users') return view.users?.[account.id]?.includes(id) ? 'in the set' : undefined;
  if (kind === 'assignments') return view.assignments?.[id] ? 'assigned' : undefined;
  const connection = view.connections?.[id];
  return connection ? (connection.state ?? 'without a state') : undefined;
}

/** Compares the whole set of users of an account with GET /users. @param ignored ids whose presence does not matter */
export function compareUsers(
  { account, ids, count }: { readonly account: Entity['account']; readonly ids: readonly string[]; readonly count: number | undefined },
  view: ConsumerState,
  ignored: ReadonlySet<string> = new Set(),
): Comparison {
  if (view.users === undefined) return { hidden: ['users'] };
  const set = new Set(view.users[account.id]);
  const missing = ids.filter((id) => !set.has(id) && !ignored.has(id));
  const extra = [...set].filter((id) => !ids.includes(id) && !ignored.has(id));
  const differences: string[] = [];
  const place = `the set of the account ${account.name} (${account.id})`;
  if (missing.length > 0)
    differences.push(
      `GET /users lists ${ids.length} users (count ${count}), and ${missing.length} of them are not in ${place}: ${some(missing)}.`,
    );
  if (extra.length > 0) differences.push(`${some(extra)} in ${place} ${extra.length === 1 ? 'is' : 'are'} not in GET /users.`);
  return { differences };
}

/** Finds users that are in the set of their account more than once, or also in the set of another account. */
export function compareUnique(entities: readonly Known[], view: ConsumerState): Comparison {
  const { users } = view;
  if (users === undefined) return { hidden: ['users'] };
  const differences = entities.flatMap(({ name, id, account }) => {
    const times = (users[account.id] ?? []).filter((each) => each === id).length;
    const others = Object.keys(users).filter((accountId) => accountId !== account.id && users[accountId]?.includes(id));
    return [
      ...(times > 1 ? [`The user ${name} (${id}) is in the set of its account ${times} times.`] : []),
      ...(others.length > 0 ? [`The user ${name} (${id}) of the account ${account.id} is also in the set of ${some(others)}.`] : []),
    ];
  });
  return { differences };
}

/** @param expected the expected total, if the view does not show the sets */
export function compareTotal({ users, total }: ConsumerState, expected: number | undefined): Comparison {
  if (users === undefined && total !== undefined && expected !== undefined)
    return { differences: total === expected ? [] : [`The total is ${total}, but ${expected} is expected from the total before.`] };
  const hidden = [...(users === undefined ? ['users'] : []), ...(total === undefined ? ['total'] : [])];
  if (users === undefined || hidden.length > 0) return { hidden };
  const sizes = Object.values(users).map((ids) => ids.length);
  const sum = sizes.reduce((before, size) => before + size, 0);
  return { differences: sum === total ? [] : [`The total is ${total}, but the sizes of the sets (${sizes.join(', ')}) add up to ${sum}.`] };
}

/** Finds events that were applied more than once. @param names the names of the events by webhook-id */
export function compareApplied(names: ReadonlyMap<string, string>, { applied = {} }: ConsumerState): Comparison {
  const twice = [...names].filter(([id]) => (applied[id.toLowerCase()] ?? 0) > 1);
  return { differences: twice.map(([id, name]) => `The event ${name} (webhook-id ${id}) was applied ${applied[id.toLowerCase()]} times.`) };
}

function some(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ');
}
