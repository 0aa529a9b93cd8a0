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
  accountId: (of, value, given) => [...embedded(value), ...accountsFor(of, given)],
  experienceId: (of, value, given) => [...embedded(value), ...experiencesFor(of, given)],
  targetType: (of, value, given) =>
    [...near(value, TYPES), ...typesFor(given.targetValue), ...(of.request.method === 'GET' ? [undefined] : [])].filter(distinct),
  targetValue: (of, value, given) => [
    ...asNumber(value, given.targetType),
    ...embeddedIn(value, given.targetType),
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

function typesFor(targetValue: unknown): readonly TargetType[] {
  if (typeof targetValue !== 'string') return ['ACCOUNT', 'USER', 'PHONE_NUMBER'];
  return /^[+ ]?\d+$/.test(targetValue) ? ['PHONE_NUMBER'] : ['USER', 'ACCOUNT'];
}

const isList = ({ request }: Case): boolean => request.method === 'GET';

/** Accounts in sight where they are read, and to be managed where something is made; those where there is something first. */
function accountsFor(of: Case, { experienceId }: Values): string[] {
  const { view, operationId, world } = of;
  if (operationId === 'createExperienceConnection') {
    const experience = typeof experienceId === 'string' ? aliasOf(world.experiences, experienceId) : undefined;
    const taken = Object.values(world.connections ?? {}).filter((one) => one.experience === experience);
    return view
      .accounts('manage')
      .filter(({ alias }) => !taken.some(({ account }) => account === alias))
      .map(({ id }) => id);
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
  return view
    .experiences(isList(of) && operationId !== 'getExperienceAssignability' ? 'read' : 'manage')
    .filter(({ alias }) => operationId !== 'createExperienceConnection' || !connected.has(alias))
    .map(({ id }) => id);
}

/** Targets of the type, or of any, that the caller may use and that nothing hangs on. */
function targetsFor(of: Case, { targetType }: Values): string[] {
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

/** A body that the operation takes from this caller, with as much of what was sent as may stay. */
export function wholeBody(of: Case, given: Values): Values | undefined {
  const { operationId, view, world } = of;
  const keep = (name: string, good: readonly (string | undefined)[]) =>
    good.includes(given[name] as string) ? (given[name] as string) : good[0];
  switch (operationId) {
    case 'createExperienceAssignment': {
      const types = typesFor(given.targetValue);
      const targetType = TYPES.includes(given.targetType as TargetType) ? given.targetType : types[0];
      const experienceId = keep(
        'experienceId',
        view.experiences('manage').map(({ id }) => id),
      );
      return { experienceId, targetType, targetValue: keep('targetValue', targetsFor(of, { targetType })) };
    }
    case 'createExperienceConnection': {
      const accountId = keep(
        'accountId',
        view.accounts('manage').map(({ id }) => id),
      );
      return { accountId, experienceId: keep('experienceId', experiencesFor(of, { accountId })) };
    }
    case 'updateExperienceConnection': {
      const id = of.request.path.split('/').at(-1) ?? '';
      const present = own(world.connections, aliasOf(world.connections, id))?.state;
      return { state: present === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE' };
    }
    default:
      return undefined;
  }
}
