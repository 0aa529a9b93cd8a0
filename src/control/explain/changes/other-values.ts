import { nearestOf } from '../../../fixtures/nearest.ts';
import type { Case } from '../case.ts';
import { aliasOf, own } from '../view.ts';

export type Values = Readonly<Record<string, unknown>>;

const E164 = /^\+[1-9]\d{1,14}$/;
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
  return (VALUES[name]?.(of, value, given) ?? [undefined]).slice(0, MOST);
}

type Find = (of: Case, value: string, given: Values) => readonly (string | undefined)[];

const VALUES: Readonly<Record<string, Find>> = {
  pageSize: (of, value) => [pageSize(of, value), undefined],
  sortBy: (_, value) => [...near(value, ['createdAt', 'updatedAt', 'firstName', 'lastName']), undefined],
  sortOrder: (_, value) => [...near(value, ['asc', 'desc']), undefined],
  cursor: () => [undefined],
  state: (_, value) => [...near(value, ['ACTIVE', 'INACTIVE']), 'ACTIVE', 'INACTIVE'].filter(distinct),
  accountId: (of, value, given) => [...embedded(value), ...called(of.world.accounts, value), ...accountsFor(of, given)],
  experienceId: (of, value, given) => [...embedded(value), ...called(of.world.experiences, value), ...experiencesFor(of, given)],
  targetType: (of, value, given) =>
    [...near(value, TYPES), ...targetTypesFor(given), ...(of.request.method === 'GET' ? [undefined] : [])].filter(distinct),
  targetValue: (of, value, given) => [
    ...asNumber(value, given.targetType),
    ...embeddedIn(value, given.targetType),
    ...(given.targetType === 'USER' ? [...withNativeId(of, value), ...called(of.world.users, value)] : []),
    ...(given.targetType === 'ACCOUNT' ? called(of.world.accounts, value) : []),
    ...targetsFor(of, given),
  ],
  telephoneNumber: (of, value) => [...asNumber(value, 'PHONE_NUMBER'), ...of.view.numbers('read').map(({ number }) => number)],
  tn: (of, value) => [...asNumber(value, 'PHONE_NUMBER'), ...of.view.numbers('read').map(({ number }) => number)],
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

const embeddedIn = (value: string, type: unknown): string[] => (type === 'PHONE_NUMBER' ? [] : embedded(value));

/** The plus of a number that has none: in a query it has to be written %2B. */
function asNumber(value: string, type: unknown): string[] {
  const number = `+${value.replaceAll(/\D/g, '')}`;
  return type === 'PHONE_NUMBER' && number !== value && E164.test(number) ? [number] : [];
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
  return [
    ...meant,
    ...(E164.test(`+${targetValue.replaceAll(/[+ ().-]/g, '')}`) ? (['PHONE_NUMBER'] as const) : (['USER', 'ACCOUNT'] as const)),
  ];
}

const isList = ({ request }: Case): boolean => request.method === 'GET';

/** Accounts in sight where they are read, and to be managed where something is made; those where there is something first. */
function accountsFor(of: Case, { experienceId }: Values): string[] {
  const { view, operationId, world } = of;
  if (operationId === 'createExperienceConnection') {
    const experience = typeof experienceId === 'string' ? aliasOf(world.experiences, experienceId) : undefined;
    const taken = Object.values(world.connections ?? {}).filter((one) => one.experience === experience);
    return easiestFirst(view.accounts('manage'), view.accounts('none'), ({ alias }) => taken.some(({ account }) => account === alias));
  }
  const full = new Set(
    operationId === 'getUsers'
      ? view.users('read').map(({ account }) => account)
      : operationId === 'getExperienceConnections'
        ? view.connections('read').map(({ account }) => account)
        : view.assignments('read').map((one) => accountOfTarget(of, one)),
  );
  return view
    .accounts('read')
    .toSorted((a, b) => Number(full.has(b.alias)) - Number(full.has(a.alias)))
    .map(({ id }) => id);
}

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
  return view.experiences(isList(of) && operationId !== 'getExperienceAssignability' ? 'read' : 'manage').map(({ id }) => id);
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

/** Targets of the type, or of any, that the caller may use and that nothing hangs on. */
export function targetsFor(of: Case, { targetType }: Values): string[] {
  const { view, world } = of;
  const taken = new Set(Object.values(world.assignments ?? {}).map(({ target }) => target));
  const free = <T>(all: readonly T[], name: (one: T) => string) =>
    all.toSorted((a, b) => Number(taken.has(name(a))) - Number(taken.has(name(b))));
  switch (targetType) {
    case 'ACCOUNT':
      return free(view.accounts('manage'), ({ alias }) => alias).map(({ id }) => id);
    case 'USER':
      return free(view.users('manage'), ({ alias }) => alias).map(({ id }) => id);
    default:
      return free(view.numbers('manage'), ({ number }) => number).map(({ number }) => number);
  }
}
