import type { OperationId } from '../contract/generated/operations.ts';
import { UNKNOWN_UUID } from '../refusals/hostile-values.ts';
import { chooseAssignment } from './choose-assignment.ts';
import type { Command, Kind } from './commands.ts';
import { createNear, pick, prefer } from './pick.ts';
import { type ActionName, nameCreated, type Request, type TokenName } from './side.ts';
import type { Target, World } from './world.ts';

export interface Step {
  readonly kind: Kind;
  readonly origin: Command['origin'];
  readonly as: TokenName;
  /** Either a request to the API, or an action in the portal or on the platform. */
  readonly request?: { readonly operation: OperationId; readonly body?: Readonly<Record<string, unknown>> } & Request;
  readonly action?: { readonly name: ActionName; readonly args: readonly unknown[] };
  /** The name of the entity that the step creates if it succeeds. */
  readonly creates?: string;
  /** The names of existing entities that the step may change. */
  readonly changes: readonly string[];
  /** The account and Experience to which the step belongs, if any. */
  readonly account?: string | undefined;
  readonly experience?: string | undefined;
  /** Updates the world after the step has succeeded at the twin. */
  apply(): void;
}

/** What a command creates that has nothing to act on. */
const CREATIONS: Readonly<Partial<Record<Kind, Kind>>> = {
  'update connection': 'create connection',
  'delete connection': 'create connection',
  'delete assignment': 'create assignment',
  'rename user': 'create user',
  'remove target': 'create user',
};

/**
 * A command that the profile has no hook for goes to the API, and one that has nothing to act on creates something.
 * @returns undefined if that is not possible either
 */
export function toStep(world: World, command: Command): Step | undefined {
  for (const kind of [command.kind, CREATIONS[command.kind]])
    for (const origin of [command.origin, 'api'] as const) {
      const step = kind && toStepOfKind(world, { ...command, kind, origin });
      if (step) return step;
    }
  return undefined;
}

function toStepOfKind(world: World, command: Command): Step | undefined {
  const { kind, as, form, origin: wanted, picks } = command;
  const { cast } = world;
  const [first, second, third] = picks;
  const act = (name: string, ...args: readonly unknown[]) =>
    cast.actions.has(name as ActionName) ? { action: { name: name as ActionName, args } } : undefined;
  const build = (
    given:
      | { readonly action: NonNullable<Step['action']> }
      | { readonly request: Omit<NonNullable<Step['request']>, 'as' | 'form'> }
      | undefined,
    rest: Pick<Step, 'changes' | 'apply'> & Partial<Step>,
  ): Step | undefined => {
    if (given === undefined) return undefined;
    const origin = 'request' in given ? 'api' : (given.action.name.split('.')[0] as 'portal' | 'platform');
    const isShared =
      rest.account === undefined ? !rest.changes.some((name) => world.isOfNewAccount(name)) : cast.accounts.includes(rest.account);
    const actor = origin === 'api' && isShared ? as : 'manager';
    return { kind, origin, as: actor, ...rest, ...('request' in given ? { request: { ...given.request, as: actor, form } } : given) };
  };
  /** A gone entity now and then, because it must stay gone. */
  const pickExisting = <Entity extends { readonly name: string }>(entities: readonly Entity[], kindOfGone: 'connection' | 'assignment') => {
    const gone = [...world.gone].flatMap(([name, each]) => (each === kindOfGone ? [name] : []));
    if (second % 5 === 4 && gone.length > 0) return pick(gone.toReversed(), first);
    return pick(entities, first)?.name;
  };
  const isApi = wanted === 'api';
  // The API cannot change users.
  const isPortal = cast.actions.has('portal.users.create') && (wanted === 'portal' || (isApi && third % 2 === 0));
  const placeOfUser = isPortal ? 'portal' : 'platform';
  const { last } = world;
  const near = createNear(command.follows);
  const isOfLast = ({ account, experience }: { readonly account?: string; readonly experience?: string }) =>
    (account === undefined || account === last.account) && (experience === undefined || experience === last.experience);
  const [existing, assigned] = [[...world.connections.values()], [...world.assignments.values()]];
  const connections = near(existing, isOfLast);
  const assignments = near(assigned, ({ target, experience }) => isOfLast({ account: target.account, experience }));
  const targets = near(
    world.targets.filter(({ type }) => command.type === undefined || type === command.type),
    isOfLast,
  );
  const blocking = new Set(assigned.flatMap(({ target: { type }, experience }) => (type === 'PHONE_NUMBER' ? experience : [])));
  const accounts = near(world.accounts, (account) => account === last.account);

  if (kind === 'create connection') {
    // Near the last step in one respect, or in both, which may make a duplicate.
    const others = prefer(world.accounts, (each) => each !== last.account);
    const account = pick(third % 3 > 0 ? accounts : others, first);
    const isFree = (each: string) => !existing.some((one) => one.account === account && one.experience === each);
    const nearest = near(cast.connectable, (each) => each === last.experience);
    const experience = pick(third % 3 > 1 ? prefer(cast.experiences, isFree) : nearest, second);
    if (account === undefined || experience === undefined) return undefined;
    const name = nameCreated('connection', command.number);
    const apply = () => void world.connections.set(name, { name, account, experience, state: undefined });
    const rest = { changes: [], creates: name, account, experience, apply };
    if (!isApi) return build(act(`${wanted}.connections.create`, { accountId: account, experienceId: experience }), rest);
    return build({ request: { operation: 'createExperienceConnection', body: { accountId: account, experienceId: experience } } }, rest);
  }
  if (kind === 'update connection') {
    const name = pickExisting(connections, 'connection');
    if (name === undefined) return undefined;
    const connection = world.connections.get(name);
    // Mostly the other state, because an update to the present one changes nothing.
    const state = command.state ?? ((connection?.state === 'ACTIVE') === third % 4 > 0 ? 'INACTIVE' : 'ACTIVE');
    const apply = () => void (connection && Object.assign(connection, { state }));
    const rest = { changes: [name], account: connection?.account, experience: connection?.experience, apply };
    if (!isApi) return connection && build(act(`${wanted}.connections.update`, name, state), rest);
    return build({ request: { operation: 'updateExperienceConnection', path: { experienceConnectionId: name }, body: { state } } }, rest);
  }
  if (kind === 'delete connection') {
    // Often a connection that telephone numbers may block.
    const blocked = connections.filter(({ experience }) => blocking.has(experience));
    const name = pickExisting(third % 2 === 0 && blocked.length > 0 ? blocked : connections, 'connection');
    if (name === undefined) return undefined;
    const connection = world.connections.get(name);
    const rest = { changes: [name], account: connection?.account, experience: connection?.experience, apply: () => world.remove(name) };
    if (!isApi) return connection && build(act(`${wanted}.connections.remove`, name), rest);
    return build({ request: { operation: 'deleteExperienceConnection', path: { experienceConnectionId: name } } }, rest);
  }
  if (kind === 'create assignment') {
    const chosen = chooseAssignment(world, command, { targets, assignments });
    if (chosen === undefined) return undefined;
    const { target, experience } = chosen;
    const name = nameCreated('assignment', command.number);
    const isUpperCase = !command.isPlain && target.type !== 'PHONE_NUMBER' && (first + second) % 6 === 5;
    const body = { experienceId: experience, targetType: target.type, targetValue: isUpperCase ? `${target.name}^` : target.name };
    const apply = () => {
      world.assignments.set(name, { name, experience, target });
      world.assigned.add(target.name);
    };
    const rest = { changes: [], creates: name, account: target.account, experience, apply };
    if (!isApi) return build(act(`${wanted}.assignments.create`, { ...body, targetValue: target.name }), rest);
    const hasReadOnly = !command.isPlain && (first + third) % 5 === 4;
    const readOnly = hasReadOnly ? { id: UNKNOWN_UUID, accountId: pick(world.accounts, third), updatedAt: LONG_AGO } : {};
    return build({ request: { operation: 'createExperienceAssignment', body: { ...body, ...readOnly } } }, rest);
  }
  if (kind === 'delete assignment') {
    const name = pickExisting(assignments, 'assignment');
    if (name === undefined) return undefined;
    const assignment = world.assignments.get(name);
    const rest = {
      changes: [name],
      account: assignment?.target.account,
      experience: assignment?.experience,
      apply: () => world.remove(name),
    };
    if (!isApi) return assignment && build(act(`${wanted}.assignments.remove`, name), rest);
    return build({ request: { operation: 'deleteExperienceAssignment', path: { assignmentId: name } } }, rest);
  }
  if (kind === 'remove target') {
    // Mostly what is assigned or connected, because that is deleted with the target, and users of such accounts, because there are events.
    const used = new Set([...assigned.map(({ target: { name } }) => name), ...existing.map(({ account }) => account)]);
    const wantsAccount = third % 3 === 1 && world.listCreated('ACCOUNT').length > 0;
    const removable = [...world.created.values()].reverse().filter(({ type }) => (type === 'ACCOUNT' ? third % 3 > 0 : !wantsAccount));
    const target = pick(
      near(removable, ({ name, account }) => used.has(name) || used.has(account)),
      first,
    );
    if (target === undefined) return undefined;
    const place = target.type === 'USER' ? placeOfUser : 'platform';
    return build(act(`${place}.${COLLECTIONS[target.type]}.remove`, target.name), {
      changes: [target.name],
      account: target.account,
      apply: () => world.remove(target.name),
    });
  }
  if (kind === 'rename user') {
    const user = pick(world.listCreated('USER'), first);
    // A change to the present name may or may not count as a modification.
    const name = pick(
      NAMES.filter((each) => each !== world.renamed.get(user?.name ?? '')),
      second,
    )!;
    const apply = () => void world.renamed.set(user!.name, name);
    return user && build(act('platform.users.rename', user.name, name), { changes: [user.name], account: user.account, apply });
  }
  return createTarget();

  function createTarget(): Step | undefined {
    const type: Target['type'] = kind === 'create user' ? 'USER' : kind === 'create number' ? 'PHONE_NUMBER' : 'ACCOUNT';
    const account = pick(accounts, first);
    if (account === undefined || (type === 'ACCOUNT' && world.listCreated('ACCOUNT').length > 0)) return undefined;
    const name = nameCreated(NOUNS[type], command.number);
    const owner = type === 'ACCOUNT' ? name : account;
    const place = type === 'USER' ? placeOfUser : 'platform';
    const firstName = pick(NAMES, second)!;
    const names = place === 'platform' ? [{ firstName, lastName: pick(NAMES, third) }] : [];
    const args = type === 'ACCOUNT' ? [] : type === 'USER' ? [account, ...names] : [account];
    const apply = () => {
      world.created.set(name, { name, type, account: owner });
      if (names.length > 0) world.renamed.set(name, firstName);
    };
    return build(act(`${place}.${COLLECTIONS[type]}.create`, ...args), { changes: [], creates: name, account: owner, apply });
  }
}

/** For a read-only member, which a request should not contain. */
export const LONG_AGO = '2001-02-03T04:05:06.000Z';
const COLLECTIONS = { ACCOUNT: 'accounts', PHONE_NUMBER: 'numbers', USER: 'users' } as const;
const NOUNS = { ACCOUNT: 'account', PHONE_NUMBER: 'number', USER: 'user' } as const;
const NAMES = ['Ana', 'Bo', 'Zoë', 'Łukasz', 'ÅSE', "O'Neil-Šimić", '李小龍', 'محمد'];
