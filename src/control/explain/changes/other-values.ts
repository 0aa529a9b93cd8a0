import { nearestOf } from '../../../contract/did-you-mean.ts';
import type { Case } from '../case.ts';
import { aliasOf, own } from '../view.ts';
import { asNumber, numbersMeant } from './numbers.ts';

export type Values = Readonly<Record<string, unknown>>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const TYPES = ['PHONE_NUMBER', 'USER', 'ACCOUNT'] as const;
type TargetType = (typeof TYPES)[number];

/** More alternatives of one value than these are not tried. */
const MOST = 3;

/**
 * Values that would be right where one is wrong or missing, those nearest to what was sent first. Undefined leaves the parameter out.
 *
 * @param given all values that were sent beside it.
 */
export function valuesFor(of: Case, name: string, given: Values): readonly (string | undefined)[] {
  const value = typeof given[name] === 'string' ? given[name] : '';
  return (VALUES[name]?.(of, value, given) ?? [undefined]).filter(distinct).slice(0, MOST);
}

type Find = (of: Case, value: string, given: Values) => readonly (string | undefined)[];

const VALUES: Readonly<Record<string, Find>> = {
  pageSize: (of, value) => [pageSize(of, value), undefined],
  sortBy: (_, value) => [...near(value, ['createdAt', 'updatedAt', 'firstName', 'lastName']), undefined],
  sortOrder: (_, value) => [...near(value, ['asc', 'desc']), undefined],
  cursor: () => [undefined],
  state: (_, value) => [...near(value, ['ACTIVE', 'INACTIVE']), 'ACTIVE', 'INACTIVE'],
  accountId: (of, value, given) => [...embedded(value), ...called(of.world.accounts, value), ...accountsFor(of, given)],
  experienceId: (of, value, given) => [...embedded(value), ...called(of.world.experiences, value), ...experiencesFor(of, given)],
  targetType: (of, value, given) => [...near(value, TYPES), ...targetTypesFor(given), ...(of.request.method === 'GET' ? [undefined] : [])],
  targetValue: (of, value, given) => [
    ...(given.targetType === 'PHONE_NUMBER' ? numbersMeant(of, value, neededLevel(of)) : embedded(value)),
    ...(given.targetType === 'USER' ? [...withNativeId(of, value), ...called(of.world.users, value)] : []),
    ...(given.targetType === 'ACCOUNT' ? called(of.world.accounts, value) : []),
    ...targetsFor(of, given),
  ],
  telephoneNumber: selectingNumbers,
  tn: selectingNumbers,
};

function near(value: string, allowed: readonly string[]): string[] {
  const nearest = nearestOf(value, allowed);
  return nearest === undefined ? [] : [nearest];
}

const distinct = <T>(value: T, index: number, all: readonly T[]): boolean => all.indexOf(value) === index;

function pageSize({ operationId }: Case, value: string): string {
  const most = operationId === 'getUsers' ? 200 : 100;
  const wanted = Number.parseInt(value.trim(), 10);
  return String(Number.isNaN(wanted) ? most : Math.min(most, Math.max(1, wanted)));
}

/** The UUID in a text that is more than one. */
function embedded(value: string): string[] {
  const found = UUID.exec(value)?.[0];
  return found === undefined || found === value ? [] : [found];
}

/** The id of what has this name in the world: names are no ids to the service. */
function called(entities: Readonly<Record<string, { readonly id?: string | undefined }>> | undefined, alias: string): string[] {
  const id = own(entities, alias)?.id;
  return id === undefined || id === alias ? [] : [id];
}

/** The unified ids of users that are called this by the infrastructure they live on. */
function withNativeId({ world }: Case, value: string): string[] {
  return Object.values(world.users ?? {})
    .filter(({ nativeIds }) => nativeIds?.some(({ id }) => id === value))
    .flatMap(({ id }) => id ?? []);
}

/** The types that a target may have been meant to be of, by the type and the value that were sent. */
export function targetTypesFor({ targetType, targetValue }: Values): readonly TargetType[] {
  const meant = typeof targetType === 'string' ? (near(targetType, TYPES) as TargetType[]) : [];
  if (typeof targetValue !== 'string') return [...meant, 'ACCOUNT', 'USER', 'PHONE_NUMBER'];
  return [...meant, ...(asNumber(targetValue) ? (['PHONE_NUMBER'] as const) : (['USER', 'ACCOUNT'] as const))];
}

/** What a caller needs on whatever the request names. */
export function neededLevel({ request, operationId }: Case): 'read' | 'manage' {
  return request.method === 'GET' && operationId !== 'getExperienceAssignability' ? 'read' : 'manage';
}

/** Accounts in sight where they are read, and to be managed where something is made; those where there is something first. */
function accountsFor(of: Case, { experienceId }: Values): string[] {
  const { view, operationId, world } = of;
  if (operationId === 'createExperienceConnection') {
    const experience = typeof experienceId === 'string' ? aliasOf(world.experiences, experienceId) : undefined;
    const taken = Object.values(world.connections ?? {}).filter((one) => one.experience === experience);
    return easiestFirst(view.accounts('manage'), view.accounts('none'), ({ alias }) => taken.some(({ account }) => account === alias));
  }
  const full = fullAccounts(of);
  const inSight = firstWhere(view.accounts('read'), ({ alias }) => full.has(alias));
  // The list of an account that is out of sight is empty, but it is a list.
  return (inSight.length > 0 ? inSight : view.accounts('none')).map(({ id }) => id);
}

/** The accounts of which a list has something to show. */
function fullAccounts(of: Case): ReadonlySet<string> {
  const { view, operationId } = of;
  return new Set(
    operationId === 'getUsers'
      ? view.users('read').map(({ account }) => account)
      : operationId === 'getExperienceConnections'
        ? view.connections('read').map(({ account }) => account)
        : view.assignments('read').map((one) => accountOfTarget(of, one)),
  );
}

/** The numbers by which connections can be selected: what was meant, then those with which some are found. */
function selectingNumbers(of: Case, value: string): string[] {
  const full = fullAccounts(of);
  const inSight = firstWhere(of.view.numbers('read'), ({ account }) => full.has(account));
  return [...numbersMeant(of, value, 'read'), ...inSight.map(({ number }) => number)];
}

const firstWhere = <T>(all: readonly T[], isFirst: (one: T) => boolean): T[] =>
  all.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));

function accountOfTarget({ world }: Case, { targetType, target }: { targetType: string; target: string }): string {
  if (targetType === 'ACCOUNT') return target;
  return (targetType === 'USER' ? own(world.users, target)?.account : own(world.telephoneNumbers, target)?.account) ?? '';
}

function experiencesFor(of: Case, { accountId }: Values): string[] {
  const { view, operationId, world } = of;
  const account = typeof accountId === 'string' ? aliasOf(world.accounts, accountId) : undefined;
  const connected = new Set(
    Object.values(world.connections ?? {})
      .filter((one) => one.account === account)
      .map(({ experience }) => experience),
  );
  if (operationId === 'createExperienceConnection')
    return easiestFirst(view.experiences('manage'), view.experiences('none'), ({ alias }) => connected.has(alias));
  return view.experiences(neededLevel(of)).map(({ id }) => id);
}

interface WithId {
  readonly alias: string;
  readonly id: string;
}

/** Free ones that may be managed; then those that would have to be allowed, and those for which a connection would have to go. */
function easiestFirst(managed: readonly WithId[], all: readonly WithId[], isTaken: (one: WithId) => boolean): string[] {
  const free = (some: readonly WithId[]) => some.filter((one) => !isTaken(one));
  return [...free(managed), ...free(all), ...managed].map(({ id }) => id).filter(distinct);
}

/** Targets of the type, or of any, that the caller may use: those that nothing hangs on where something is made, the others where it is listed. */
export function targetsFor(of: Case, { targetType }: Values): string[] {
  const { view, world } = of;
  const level = neededLevel(of);
  const assigned = level === 'read' ? view.assignments('read') : Object.values(world.assignments ?? {});
  const taken = new Set(assigned.map(({ target }) => target));
  const ordered = <T>(all: readonly T[], name: (one: T) => string) => firstWhere(all, (one) => taken.has(name(one)) === (level === 'read'));
  switch (targetType) {
    case 'ACCOUNT':
      return ordered(view.accounts(level), ({ alias }) => alias).map(({ id }) => id);
    case 'USER':
      return ordered(view.users(level), ({ alias }) => alias).map(({ id }) => id);
    default:
      return ordered(view.numbers(level), ({ number }) => number).map(({ number }) => number);
  }
}
